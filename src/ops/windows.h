#pragma once

#include <optional>

#include "autograd/var.h"
#include "kernels/convolution/windows.h"

namespace dhyan {

// Square windows on a grid, `stride` cells apart.
struct WindowOptions {
  Index kernel = 3, stride = 1;
  // Cells of padding on every side, as PyTorch counts them. None: TensorFlow's SAME, which gives ceil(cells / stride)
  // windows; of an odd number of cells, the bottom and the right get one more.
  std::optional<Index> padding = {};
};

// The grid of the windows. ConfigError if there is none, or if a window would be all padding.
GridShape window_grid(GridShape in, const WindowOptions& options);

// The windows on x; ShapeError that names the op unless x is rows of whole grids.
kernels::Windows windows_on(const char* op, const Var& x, GridShape grid, const WindowOptions& options);

}  // namespace dhyan
