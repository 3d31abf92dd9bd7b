#include "ops/norm.h"

#include "core/error.h"
#include "kernels/rows/group_norm.h"
#include "kernels/rows/norm.h"
#include "kernels/rows/unit_norm.h"
#include "ops/expect_real.h"
#include "ops/wanted_grad.h"

namespace dhyan {

namespace {

void expect_norm(const char* op, const Var& x, const Var& gain, Real epsilon) {
  if (x.shape().rank() == 0) throw ShapeError(cat(op, ": x is ", x.shape(), ", expected rows of at least one axis"));
  expect_shape(op, "gain", gain.shape(), {x.cols()});
  if (!(epsilon >= 0)) throw ConfigError(cat(op, ": epsilon is ", epsilon, ", expected 0 or more"));
}

}  // namespace

// [ba2016] eqs. 3-4. n = (x - mean x) / s with s^2 = mean (x - mean x)^2 + epsilon;   y = n gain + bias
// With g = dy gain:   dx += (g - mean g - n mean(g n)) / s,   dgain += sum of dy n,   dbias += sum of dy
Var layer_norm(const Var& x, const Var& gain, const Var& bias, Real epsilon) {
  expect_real("layer_norm", x, gain, bias);
  expect_norm("layer_norm", x, gain, epsilon);
  expect_shape("layer_norm", "bias", bias.shape(), {x.cols()});
  const Scope& scope = x.scope();
  const Index kept = scope.recording() ? x.rows() : 0;
  const Tensor y = scope.tensor(x.shape());     // [.,H]
  const Tensor mean = scope.tensor({kept});     // [M]
  const Tensor inverse = scope.tensor({kept});  // [M] 1 / s
  kernels::layer_norm_rows(x.value().matrix(), {gain.value().span(), bias.value().span(), epsilon}, y.matrix(),
                           {mean.span(), inverse.span()});
  return record(y, {x, gain, bias}, [x, gain, bias, mean, inverse](const Var& result) {
    kernels::norm_rows_backward(x.value().matrix(), {mean.span(), inverse.span()}, gain.value().span(),
                                result.grad().matrix(), {wanted_grad(x), wanted_grad(gain), wanted_grad(bias)});
  });
}

SumAndNorm add_layer_norm(const Var& x, const Var& y, const Var& gain, const Var& bias, Real epsilon) {
  expect_real("add_layer_norm", x, y, gain, bias);
  expect_norm("add_layer_norm", x, gain, epsilon);
  expect_shape("add_layer_norm", "y", y.shape(), x.shape());
  expect_shape("add_layer_norm", "bias", bias.shape(), {x.cols()});
  const Scope& scope = x.scope();
  if (scope.recording()) throw UsageError("add_layer_norm: has no backward, but the scope has a tape");
  const Tensor sum = scope.tensor(x.shape()), norm = scope.tensor(x.shape());  // [.,H]
  kernels::add_layer_norm_rows(x.value().matrix(), y.value().matrix(),
                               {gain.value().span(), bias.value().span(), epsilon}, sum.matrix(), norm.matrix());
  const Var inputs[] = {x, y, gain, bias};
  return {make_result(sum, inputs), make_result(norm, inputs)};
}

// [zhang2019] eq. 4. n = x / s with s^2 = mean x^2 + epsilon;   y = n gain
// With g = dy gain:   dx += (g - n mean(g n)) / s,   dgain += sum of dy n
Var rms_norm(const Var& x, const Var& gain, Real epsilon) {
  expect_real("rms_norm", x, gain);
  expect_norm("rms_norm", x, gain, epsilon);
  const Tensor y = x.scope().tensor(x.shape());         // [.,H]
  const Tensor inverse = x.scope().tensor({x.rows()});  // [M] 1 / s
  kernels::rms_norm_rows(x.value().matrix(), {gain.value().span(), {}, epsilon}, y.matrix(), {{}, inverse.span()});
  return record(y, {x, gain}, [x, gain, inverse](const Var& result) {
    kernels::norm_rows_backward(x.value().matrix(), {{}, inverse.span()}, gain.value().span(), result.grad().matrix(),
                                {wanted_grad(x), wanted_grad(gain), {}});
  });
}

// [wu2018] eqs. 1-7. As layer_norm, with mean and s of all values of a group.
Var group_norm(const Var& x, const Var& gain, const Var& bias, const GroupNormOptions& options) {
  expect_real("group_norm", x, gain, bias);
  expect_norm("group_norm", x, gain, options.epsilon);
  expect_shape("group_norm", "bias", bias.shape(), {x.cols()});
  const auto [cells, groups, epsilon] = options;
  if (cells < 1 || groups < 1 || x.rows() % cells != 0 || x.cols() % groups != 0) {
    throw ShapeError(cat("group_norm: x is ", x.shape(), ", expected pictures of ", cells, " rows and columns in ",
                         groups, " equal groups"));
  }
  const kernels::Groups of{cells, groups};
  const Scope& scope = x.scope();
  const Index kept = scope.recording() ? x.rows() / cells * groups : 0;
  const Tensor y = scope.tensor(x.shape());     // [B*cells,C]
  const Tensor mean = scope.tensor({kept});     // [B*groups]
  const Tensor inverse = scope.tensor({kept});  // [B*groups] 1 / s
  kernels::group_norm_rows(x.value().matrix(), of, {gain.value().span(), bias.value().span(), epsilon}, y.matrix(),
                           {mean.span(), inverse.span()});
  return record(y, {x, gain, bias}, [x, gain, bias, mean, inverse, of](const Var& result) {
    kernels::group_norm_rows_backward(x.value().matrix(), of, {mean.span(), inverse.span()}, gain.value().span(),
                                      result.grad().matrix(), {wanted_grad(x), wanted_grad(gain), wanted_grad(bias)});
  });
}

// y = β u with u = x / r and r^2 = |x|^2 + epsilon, of every part;   dx += β (dy - u (u·dy)) / r,   dβ += u·dy
Var unit_norm(const Var& x, const Var& strength, Real epsilon) {
  expect_real("unit_norm", x, strength);
  expect_rank("unit_norm", "strength", strength.shape(), 1);
  const Index N = strength.shape()[0];
  if (N < 1 || x.cols() % N != 0) {
    throw ShapeError(cat("unit_norm: x is ", x.shape(), ", expected columns in ", N, " equal parts"));
  }
  const Shape parts{x.rows() * N, x.cols() / N};
  const Tensor y = x.scope().tensor(x.shape());         // [.,N*K]
  const Tensor inverse = x.scope().tensor({parts[0]});  // [M*N] 1 / r
  kernels::unit_norm_rows(x.value().reshaped(parts).matrix(), {strength.value().span(), epsilon},
                          y.reshaped(parts).matrix(), inverse.span());
  return record(y, {x, strength}, [x, strength, inverse, parts](const Var& result) {
    const Matrix dx = x.needs_grad() ? x.grad().reshaped(parts).matrix() : Matrix{};
    kernels::unit_norm_rows_backward(x.value().reshaped(parts).matrix(), strength.value().span(), inverse.span(),
                                     result.grad().reshaped(parts).matrix(), {dx, wanted_grad(strength)});
  });
}

}  // namespace dhyan
