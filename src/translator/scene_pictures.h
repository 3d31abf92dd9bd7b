#pragma once

#include "core/picture.h"
#include "data/picture_source.h"
#include "phrasebook/picturebook.h"

namespace dhyan {

// Copies a picture, resized to the format's size, into the bytes of a PictureSource of pixels.
void copy_pixels(const Picture& picture, const PictureFormat& format, std::span<std::byte> to);

// The scenes of a part of the picture book, drawn when they are read.
class ScenePictures final : public PictureSource {
 public:
  ScenePictures(Part part, GridShape size) : part_(part), format_{.size = size} {}

  PictureFormat format() const override { return format_; }
  void read(TokenId number, std::span<std::byte> to) const override;

 private:
  Part part_;
  PictureFormat format_;
};

}  // namespace dhyan
