#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace dhyan {

// Blends pixels of red, green, blue and alpha with white: rgb = (a rgba + (255 - a) 255) / 255, rounded.
inline void blend_with_white(std::span<const std::uint8_t> rgba, std::span<std::uint8_t> rgb) {
  for (std::size_t from = 0, to = 0; from < rgba.size(); from += 4, to += 3) {
    const int alpha = rgba[from + 3];
    for (std::size_t k = 0; k < 3; ++k) {
      rgb[to + k] = static_cast<std::uint8_t>((alpha * rgba[from + k] + (255 - alpha) * 255 + 127) / 255);
    }
  }
}

}  // namespace dhyan
