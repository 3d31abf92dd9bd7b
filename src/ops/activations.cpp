#include "ops/activations.h"

#include "core/error.h"
#include "kernels/elementwise/activations.h"
#include "kernels/elementwise/maxout.h"
#include "ops/arithmetic.h"
#include "ops/expect_real.h"

namespace dhyan {

// y = tanh x;   dx += dy (1 - y^2)
Var tanh(const Var& x) {
  expect_real("tanh", x);
  const Tensor y = x.scope().tensor(x.shape());  // as x
  kernels::tanh(x.value().span(), y.span());
  return record(y, {x}, [x](const Var& result) {
    kernels::tanh_backward(result.value().span(), result.grad().span(), x.grad().span());
  });
}

// y = 1 / (1 + exp(-x));   dx += dy y (1 - y)
Var sigmoid(const Var& x) {
  expect_real("sigmoid", x);
  const Tensor y = x.scope().tensor(x.shape());  // as x
  kernels::sigmoid(x.value().span(), y.span());
  return record(y, {x}, [x](const Var& result) {
    kernels::sigmoid_backward(result.value().span(), result.grad().span(), x.grad().span());
  });
}

// y = max(x, 0);   dx += dy where y > 0
Var relu(const Var& x) {
  expect_real("relu", x);
  const Tensor y = x.scope().tensor(x.shape());  // as x
  kernels::relu(x.value().span(), y.span());
  return record(y, {x}, [x](const Var& result) {
    kernels::relu_backward(result.value().span(), result.grad().span(), x.grad().span());
  });
}

// y = min(max(x, 0), 6);   dx += dy where 0 < y < 6
Var relu6(const Var& x) {
  expect_real("relu6", x);
  const Tensor y = x.scope().tensor(x.shape());  // as x
  kernels::relu6(x.value().span(), y.span());
  return record(y, {x}, [x](const Var& result) {
    kernels::relu6_backward(result.value().span(), result.grad().span(), x.grad().span());
  });
}

// y = x/2 (1 + t), t = tanh u, u = sqrt(2/pi) (x + 0.044715 x^3);   dx += dy (1/2 (1 + t) + x/2 (1 - t^2) du/dx)
Var gelu(const Var& x) {
  expect_real("gelu", x);
  const Tensor y = x.scope().tensor(x.shape());  // as x
  kernels::gelu(x.value().span(), y.span());
  return record(y, {x}, [x](const Var& result) {
    kernels::gelu_backward(x.value().span(), result.grad().span(), x.grad().span());
  });
}

// y = x cdf(x) of the standard normal distribution;   dx += dy (cdf(x) + x exp(-x^2/2) / sqrt(2 pi))
Var gelu_erf(const Var& x) {
  expect_real("gelu_erf", x);
  const Tensor y = x.scope().tensor(x.shape());  // as x
  kernels::gelu_erf(x.value().span(), y.span());
  return record(y, {x}, [x](const Var& result) {
    kernels::gelu_erf_backward(x.value().span(), result.grad().span(), x.grad().span());
  });
}

// y = x s, s = sigmoid(x);   dx += dy (s + x s (1 - s))
Var swish(const Var& x) {
  expect_real("swish", x);
  const Tensor y = x.scope().tensor(x.shape());  // as x
  kernels::swish(x.value().span(), y.span());
  return record(y, {x}, [x](const Var& result) {
    kernels::swish_backward(x.value().span(), result.grad().span(), x.grad().span());
  });
}

Var gelu_sigmoid(const Var& x) {
  constexpr Real kSlope = Real(1.702);
  return scale(swish(scale(x, kSlope)), 1 / kSlope);  // as x
}

// y_j = max_{i < k} x_{jk + i};   dx at the first largest += dy_j
Var maxout(const Var& x, Index pool) {
  expect_real("maxout", x);
  if (pool < 1 || x.shape().rank() == 0 || x.cols() % pool != 0) {
    throw ShapeError(cat("maxout: x is ", x.shape(), ", expected columns in groups of ", pool));
  }
  const Tensor y = x.scope().tensor(x.shape().with_cols(x.cols() / pool));  // [..,H]
  kernels::maxout(x.value().span(), pool, y.span());
  return record(y, {x}, [x, pool](const Var& result) {
    kernels::maxout_backward(x.value().span(), pool, result.grad().span(), x.grad().span());
  });
}

}  // namespace dhyan
