#include "ops/pooling.h"

#include "kernels/convolution/pooling.h"
#include "ops/expect_real.h"

namespace dhyan {

// y = max of the window's cells;   dx at the first largest += dy
Var max_pool2d(const Var& x, GridShape grid, const WindowOptions& options) {
  expect_real("max_pool2d", x);
  const kernels::Windows windows = windows_on("max_pool2d", x, grid, options);
  const Tensor y = x.scope().tensor({windows.rows(), x.cols()});  // [B*h'*w',C]
  kernels::max_pool(x.value().matrix(), windows, y.matrix());
  return record(y, {x}, [x, windows](const Var& result) {
    kernels::max_pool_backward(x.value().matrix(), windows, result.value().matrix(), result.grad().matrix(),
                               x.grad().matrix());
  });
}

// y = mean of the window's n cells inside the grid;   dx of each += dy / n
Var mean_pool2d(const Var& x, GridShape grid, const WindowOptions& options) {
  expect_real("mean_pool2d", x);
  const kernels::Windows windows = windows_on("mean_pool2d", x, grid, options);
  const Tensor y = x.scope().tensor({windows.rows(), x.cols()});  // [B*h'*w',C]
  kernels::mean_pool(x.value().matrix(), windows, y.matrix());
  return record(y, {x}, [x, windows](const Var& result) {
    kernels::mean_pool_backward(result.grad().matrix(), windows, x.grad().matrix());
  });
}

}  // namespace dhyan
