#include "ops/scan.h"

#include "kernels/rows/scan.h"
#include "ops/expect_real.h"
#include "ops/ragged.h"
#include "ops/wanted_grad.h"

namespace dhyan {

namespace {

kernels::ScanInputs scan_inputs(const Var& x, const Var& f, const Var& start) {
  return {x.value().matrix(), f.value().matrix(), start.value().matrix()};
}

}  // namespace

// c_r = f_r c_{r-1} + (1 - f_r) x_r, c_{-1} = start. With d_r = dc_r + f_{r+1} d_{r+1}:
//   df_r += d_r (c_{r-1} - x_r),  dx_r += d_r (1 - f_r),  dstart += f_0 d_0
Var gated_scan(const Var& x, const Var& f, const Segments& segments, const Var& start) {
  Scope& scope = x.scope();
  const Var first = start ? start : scope.constant(Tensor::zeros_in(scope.arena(), {segments.count(), x.cols()}));
  expect_real("gated_scan", x, f, first);
  expect_rows("gated_scan", x, segments);
  expect_shape("gated_scan", "f", f.shape(), x.shape());
  expect_shape("gated_scan", "start", first.shape(), {segments.count(), x.cols()});
  const Tensor c = scope.tensor(x.shape());                                         // [R,H]
  const Tensor carry = scope.recording() ? scope.tensor({1, x.cols()}) : Tensor();  // [1,H]
  kernels::gated_scan(scan_inputs(x, f, first), segments, c.matrix());
  return record(c, {x, f, first}, [x, f, first, segments, carry](const Var& result) {
    kernels::gated_scan_backward(scan_inputs(x, f, first), segments, result.value().matrix(), result.grad().matrix(),
                                 carry.matrix(), {wanted_grad(x), wanted_grad(f), wanted_grad(first)});
  });
}

}  // namespace dhyan
