#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/picture.h"

namespace dhyan {

// A picture as the bytes of a file. UsageError if it has no pixels.
std::string to_png_bytes(const Picture& picture);
std::string to_jpeg_bytes(const Picture& picture, int quality);  // 1 to 100

// A PNG with transparency; `alpha` is [H,W], 0 for transparent.
std::string to_png_bytes(const Picture& picture, std::span<const std::uint8_t> alpha);

}  // namespace dhyan
