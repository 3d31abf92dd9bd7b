#pragma once

#include <cstdlib>
#include <string_view>

#include "vision/read_picture.h"

namespace dhyan {

// Decodes a picture: the file throws PictureError, which names it, or gives all pixels.
inline void fuzz_picture(std::span<const std::byte> bytes, const DecodeOptions& options = {.max_pixels = 1 << 18}) {
  try {
    const Picture picture = decode_picture(bytes, "fuzz", options);
    const Index pixels = picture.height * picture.width;
    if (pixels < 1 || pixels > options.max_pixels) std::abort();
    if (static_cast<Index>(picture.pixels.size()) != pixels * 3) std::abort();
  } catch (const PictureError& error) {
    if (!std::string_view(error.what()).starts_with("fuzz: ")) std::abort();
  }
}

}  // namespace dhyan
