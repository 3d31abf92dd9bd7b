#include "ops/convolution.h"

#include "core/error.h"
#include "kernels/convolution/depthwise.h"
#include "kernels/convolution/patches.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/gemm/gemm.h"
#include "ops/expect_real.h"
#include "ops/prepack.h"
#include "ops/row_product.h"
#include "ops/wanted_grad.h"
#include "ops/weight_target.h"

namespace dhyan {

namespace {

void check_filters(const char* op, const Var& weight, const Var& bias, Index rows, Index cols) {
  expect_rank(op, "weight", weight.shape(), 2);
  expect_shape(op, "weight", weight.shape(), {rows, cols});
  if (bias) expect_shape(op, "bias", bias.shape(), {cols});
}

Matrix rows_from(const Tensor& x, Index first, Index count) {
  return {x.data() + first * x.cols(), count, x.cols(), x.cols()};
}

std::span<Real> values_of(const Matrix& rows) { return {rows.data, static_cast<std::size_t>(rows.rows * rows.cols)}; }

// P: patches of x, [rows,kernel*kernel*C].   y = P W + b;   dP = dy Wᵀ,   dW += Pᵀ dy,   db += Σ_rows dy
void conv2d_backward(const Var& x, const kernels::Windows& windows, const Var& weight, const Var& bias,
                     const Tensor& dy) {
  if (x.needs_grad()) {
    const kernels::PackedPanels& transposed = step_panels(weight, WeightSide::kTransposed);
    if (windows.are_cells()) {
      const GradTarget dx = x.grad_target();
      kernels::multiply_panels(dy.matrix(), transposed, {}, dx.tensor.matrix(), dx.beta);
    } else {
      const auto fill = [&](Matrix patches, Index first) {
        kernels::multiply_panels(rows_from(dy, first, patches.rows), transposed, {}, patches);
      };
      kernels::add_patch_blocks(windows, fill, x.grad().matrix());
    }
  }
  if (weight.needs_grad()) {
    const GradTarget dw = weight_target(weight);
    const auto add = [&](ConstMatrix patches, Index first) {
      kernels::gemm(patches.t(), rows_from(dy, first, patches.rows), dw.tensor.matrix(),
                    {.beta = first == 0 ? dw.beta : 1, .precision = x.scope().precision()});
    };
    kernels::for_patch_blocks(x.value().matrix(), windows, add);
    if (dy.rows() == 0 && dw.beta == 0) dw.tensor.fill(0);
  }
  if (bias && bias.needs_grad()) kernels::column_sums_add(dy.matrix(), bias.grad().span());
}

template <class Backward>
Var record_filtered(const Tensor& y, const Var& x, const Var& weight, const Var& bias, Backward backward) {
  return bias ? record(y, {x, weight, bias}, backward) : record(y, {x, weight}, backward);
}

}  // namespace

// The rectifier, if any, passes dy on where it is not constant.
Var conv2d(const Var& x, GridShape grid, const Var& weight, const Var& bias, const ConvOptions& options) {
  expect_real("conv2d", x, bias);
  expect_weight("conv2d", weight);
  const kernels::Windows windows = windows_on("conv2d", x, grid, options.window);
  check_filters("conv2d", weight, bias, windows.kernel * windows.kernel * x.cols(), weight.cols());
  const Tensor y = x.scope().tensor({windows.rows(), weight.cols()});  // [B*h'*w',O]
  kernels::for_patch_blocks(x.value().matrix(), windows, [&](ConstMatrix patches, Index first) {
    const Matrix rows = rows_from(y, first, patches.rows);
    weight_product(patches, weight, bias, rows);
    kernels::rectify(options.rectifier, values_of(rows));
  });
  return record_filtered(y, x, weight, bias, [=, rectifier = options.rectifier](const Var& result) {
    kernels::rectify_backward(rectifier, result.value().span(), result.grad().span());
    conv2d_backward(x, windows, weight, bias, result.grad());
  });
}

// y_wc = b_c + Σ_taps W_tc x_{w+t,c};   dx_{w+t,c} += W_tc dy_wc,   dW_tc += Σ_w x_{w+t,c} dy_wc,   db += Σ_rows dy
Var depthwise_conv2d(const Var& x, GridShape grid, const Var& weight, const Var& bias, const ConvOptions& options) {
  expect_real("depthwise_conv2d", x, weight, bias);
  const kernels::Windows windows = windows_on("depthwise_conv2d", x, grid, options.window);
  check_filters("depthwise_conv2d", weight, bias, windows.kernel * windows.kernel, x.cols());
  const Tensor y = x.scope().tensor({windows.rows(), x.cols()});  // [B*h'*w',C]
  const std::span<const Real> b = bias ? bias.value().span() : std::span<Real>();
  kernels::depthwise(x.value().matrix(), windows, {weight.value().matrix(), b}, options.rectifier, y.matrix());
  return record_filtered(y, x, weight, bias, [=, rectifier = options.rectifier](const Var& result) {
    const Matrix dy = result.grad().matrix();
    kernels::rectify_backward(rectifier, result.value().span(), result.grad().span());
    if (x.needs_grad()) kernels::depthwise_backward_x(dy, windows, weight.value().matrix(), x.grad().matrix());
    if (weight.needs_grad()) kernels::depthwise_backward_taps(x.value().matrix(), windows, dy, weight.grad().matrix());
    if (bias && bias.needs_grad()) kernels::column_sums_add(dy, bias.grad().span());
  });
}

}  // namespace dhyan
