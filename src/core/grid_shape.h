#pragma once

#include <ostream>

#include "core/real.h"

namespace dhyan {

// Rows and columns of a grid of cells, numbered row by row.
struct GridShape {
  Index height = 0;
  Index width = 0;

  Index cells() const { return height * width; }

  friend bool operator==(const GridShape&, const GridShape&) = default;
};

inline std::ostream& operator<<(std::ostream& out, const GridShape& grid) {
  return out << grid.height << " x " << grid.width;
}

}  // namespace dhyan
