#pragma once

#include <cstdint>
#include <vector>

#include "core/shape.h"

namespace dhyan {

// A picture in memory: rows from top to bottom, eight bits of red, green and blue for each pixel.
struct Picture {
  Index height = 0;
  Index width = 0;
  std::vector<std::uint8_t> pixels;  // [H,W,3]

  bool operator==(const Picture&) const = default;
};

}  // namespace dhyan
