#include "ops/arithmetic.h"

#include <algorithm>

#include "kernels/elementwise/elementwise.h"
#include "ops/expect_real.h"

namespace dhyan {

namespace {

void add_to_grad(const Tensor& dy, const Var& x) {
  const GradTarget dx = x.grad_target();
  if (dx.beta == 0) {
    std::ranges::copy(dy.span(), dx.tensor.data());
  } else {
    kernels::add_to(dy.span(), dx.tensor.span());
  }
}

}  // namespace

// y = a + b;   da += dy, db += dy
Var add(const Var& a, const Var& b) {
  expect_real("add", a, b);
  expect_shape("add", "b", b.shape(), a.shape());
  const Tensor y = a.scope().tensor(a.shape());  // as a
  kernels::add(a.value().span(), b.value().span(), y.span());
  return record(y, {a, b}, [a, b](const Var& result) {
    if (a.needs_grad()) add_to_grad(result.grad(), a);
    if (b.needs_grad() && !b.take_grad_of(result)) add_to_grad(result.grad(), b);
  });
}

// y = a b;   da += dy b, db += dy a
Var multiply(const Var& a, const Var& b) {
  expect_real("multiply", a, b);
  expect_shape("multiply", "b", b.shape(), a.shape());
  const Tensor y = a.scope().tensor(a.shape());  // as a
  kernels::multiply(a.value().span(), b.value().span(), y.span());
  return record(y, {a, b}, [a, b](const Var& result) {
    if (a.needs_grad()) kernels::multiply_add(result.grad().span(), b.value().span(), a.grad().span());
    if (b.needs_grad()) kernels::multiply_add(result.grad().span(), a.value().span(), b.grad().span());
  });
}

// y = c x;   dx += c dy
Var scale(const Var& x, Real factor) {
  expect_real("scale", x);
  const Tensor y = x.scope().tensor(x.shape());  // as x
  kernels::scale(x.value().span(), factor, y.span());
  return record(y, {x},
                [x, factor](const Var& result) { kernels::scale_add(result.grad().span(), factor, x.grad().span()); });
}

// y_ij = x_ij + b_j;   dx += dy, db_j += sum_i dy_ij
Var add_bias(const Var& x, const Var& b) {
  expect_real("add_bias", x, b);
  expect_shape("add_bias", "b", b.shape(), Shape{x.cols()});
  const Tensor y = x.scope().tensor(x.shape());  // as x
  kernels::add_bias(x.value().matrix(), b.value().span(), y.matrix());
  return record(y, {x, b}, [x, b](const Var& result) {
    if (b.needs_grad()) kernels::column_sums_add(result.grad().matrix(), b.grad().span());
    if (x.needs_grad() && !x.take_grad_of(result)) kernels::add_to(result.grad().span(), x.grad().span());
  });
}

}  // namespace dhyan
