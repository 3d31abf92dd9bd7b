#pragma once

#include "core/grid_shape.h"

namespace dhyan::kernels {

// The windows of a convolution or a pooling: one of kernel x kernel cells for each cell of the result. Values are rows
// of cells: x [pictures*in.cells(),C], y [pictures*out.cells(),C'].
struct Windows {
  GridShape in, out;
  Index pictures = 0;
  Index kernel = 1, stride = 1;
  Index top = 0, left = 0;  // cells of padding above and to the left of x

  Index rows() const { return pictures * out.cells(); }
  bool are_cells() const { return kernel == 1 && stride == 1 && in == out; }  // each window is the cell itself
};

// Taps of a window along one axis that are inside of x: [begin,end).
struct TapRange {
  Index begin, end;
};

// The taps inside the picture, of the window that begins `start` cells after the first one of x.
inline TapRange taps_inside(Index start, Index kernel, Index extent) {
  return {start < 0 ? -start : 0, start + kernel > extent ? extent - start : kernel};
}

// Where a window is: cell (row, column) of picture `picture`.
struct WindowPlace {
  Index picture, row, column;

  static WindowPlace of(const Windows& w, Index index) {
    const Index cell = index % w.out.cells();
    return {index / w.out.cells(), cell / w.out.width, cell % w.out.width};
  }
  void next(const Windows& w) {
    if (++column < w.out.width) return;
    column = 0;
    if (++row < w.out.height) return;
    row = 0, ++picture;
  }
};

}  // namespace dhyan::kernels
