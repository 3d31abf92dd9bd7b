#pragma once

#include <algorithm>
#include <bit>

#include "core/rng.h"
#include "data/picture_source.h"

namespace dhyan {

// For tests: a picture of noise for every number, bytes or numbers from -1 to 1.
class FakePictures final : public PictureSource {
 public:
  explicit FakePictures(PictureFormat format) : format_(format) {}
  explicit FakePictures(GridShape size) : format_{.size = size} {}

  PictureFormat format() const override { return format_; }

  void read(TokenId number, std::span<std::byte> to) const override {
    Rng rng = Rng(7).split(static_cast<std::uint64_t>(number));
    if (format_.content == PictureContent::kPixels) {
      std::ranges::generate(to, [&] { return static_cast<std::byte>(rng.below(256)); });
      return;
    }
    for (std::size_t i = 0; i < to.size(); i += 2) {
      const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(rng.uniform(-1, 1)));
      to[i] = static_cast<std::byte>(bits >> 16);
      to[i + 1] = static_cast<std::byte>(bits >> 24);
    }
  }

 private:
  PictureFormat format_;
};

}  // namespace dhyan
