#pragma once

#include <algorithm>
#include <vector>

#include "core/error.h"
#include "translator/scene_pictures.h"

namespace dhyan {

// Pictures in memory, resized to the size that a model reads.
class DecodedPictures final : public PictureSource {
 public:
  explicit DecodedPictures(GridShape size) : format_{.size = size} {}

  void add(const Picture& picture) {
    pictures_.emplace_back(format_.bytes());
    copy_pixels(picture, format_, pictures_.back());
  }
  void add(std::vector<std::byte> sized) { pictures_.push_back(std::move(sized)); }

  PictureFormat format() const override { return format_; }
  void read(TokenId number, std::span<std::byte> to) const override {
    if (number < 0 || static_cast<std::size_t>(number) >= pictures_.size()) {
      throw UsageError(cat("decoded pictures: number ", number, " of ", pictures_.size()));
    }
    std::ranges::copy(pictures_[static_cast<std::size_t>(number)], to.begin());
  }

 private:
  PictureFormat format_;
  std::vector<std::vector<std::byte>> pictures_;
};

}  // namespace dhyan
