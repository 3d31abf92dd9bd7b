#include "ops/windows.h"

#include <algorithm>

#include "core/error.h"

namespace dhyan {

namespace {

std::string text_of(GridShape grid) { return cat(grid.height, "x", grid.width); }

// Windows along one axis.
struct WindowAxis {
  Index before, windows;  // cells of padding before the first cell
};

WindowAxis axis_of(Index cells, const WindowOptions& options) {
  if (options.padding) {
    return {*options.padding, (cells + 2 * *options.padding - options.kernel) / options.stride + 1};
  }
  const Index windows = (cells + options.stride - 1) / options.stride;
  return {std::max<Index>((windows - 1) * options.stride + options.kernel - cells, 0) / 2, windows};
}

void check_windows(GridShape in, const WindowOptions& options) {
  const Index padding = options.padding.value_or(0);
  if (options.kernel < 1 || options.stride < 1 || padding < 0 || padding >= options.kernel) {
    throw ConfigError(cat("windows: kernel ", options.kernel, ", stride ", options.stride, ", padding ", padding,
                          "; expected a kernel and a stride of 1 or more, and a padding less than the kernel"));
  }
  const Index least = std::min(in.height, in.width);
  if (least < 1 || (options.padding && least + 2 * padding < options.kernel)) {
    throw ConfigError(cat("windows: a kernel of ", options.kernel, " with a padding of ", padding,
                          " does not fit a grid of ", text_of(in)));
  }
}

}  // namespace

GridShape window_grid(GridShape in, const WindowOptions& options) {
  check_windows(in, options);
  return {axis_of(in.height, options).windows, axis_of(in.width, options).windows};
}

kernels::Windows windows_on(const char* op, const Var& x, GridShape grid, const WindowOptions& options) {
  const GridShape out = window_grid(grid, options);
  if (x.shape().rank() != 2 || x.rows() % grid.cells() != 0) {
    throw ShapeError(cat(op, ": x is ", x.shape(), ", expected rows of grids of ", text_of(grid)));
  }
  return {.in = grid,
          .out = out,
          .pictures = x.rows() / grid.cells(),
          .kernel = options.kernel,
          .stride = options.stride,
          .top = axis_of(grid.height, options).before,
          .left = axis_of(grid.width, options).before};
}

}  // namespace dhyan
