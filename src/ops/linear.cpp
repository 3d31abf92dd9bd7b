#include "ops/linear.h"

#include <algorithm>

#include "core/error.h"
#include "kernels/elementwise.h"
#include "kernels/gemm.h"
#include "kernels/packed_matrix.h"
#include "ops/row_product.h"

namespace dhyan {

// One call whose dW += xᵀ dy waits for the end of backward.
struct WeightUse {
  Tensor x;   // [M,I]
  Tensor dy;  // [M,O]
  WeightUse* earlier;
};

namespace {

// Rows that are copied together for one product; more would only leave the cache.
constexpr Index kGatheredRows = 2048;

void add_product(const Var& weight, const Matrix& x, const Matrix& dy) {
  const GradTarget dw = weight.grad_target();
  kernels::gemm(x.t(), dy, dw.tensor.matrix(), {.before = dw.before});
}

void copy_rows(const Tensor& from, const Tensor& to, Index row) {
  std::copy_n(from.data(), from.size(), to.data() + row * to.cols());
}

// dW += [x_1; x_2; ...]ᵀ [dy_1; dy_2; ...]
void add_gathered_products(const Var& weight) {
  Index rows = 0;
  for (const WeightUse* use = weight.node().gathered; use != nullptr; use = use->earlier) rows += use->x.rows();
  const Index capacity = std::min(rows, kGatheredRows);
  const Tensor x = weight.scope().tensor({capacity, weight.shape()[0]});   // [M,I]
  const Tensor dy = weight.scope().tensor({capacity, weight.shape()[1]});  // [M,O]
  Index filled = 0;
  const auto flush = [&] {
    if (filled > 0) add_product(weight, x.row_range(0, filled).matrix(), dy.row_range(0, filled).matrix());
    filled = 0;
  };
  for (const WeightUse* use = weight.node().gathered; use != nullptr; use = use->earlier) {
    const Index M = use->x.rows();
    if (2 * M >= capacity) {  // large enough to be worth a product of its own
      add_product(weight, use->x.matrix(), use->dy.matrix());
      continue;
    }
    if (filled + M > capacity) flush();
    copy_rows(use->x, x, filled);
    copy_rows(use->dy, dy, filled);
    filled += M;
  }
  flush();
}

void gather_product(const Var& weight, const Tensor& x, const Tensor& dy) {
  Node& node = weight.node();
  Arena& arena = weight.scope().arena();
  if (node.gathered == nullptr) {
    weight.scope().tape()->at_end(arena, [weight] { add_gathered_products(weight); });
  }
  node.gathered = &arena.make<WeightUse>(WeightUse{x, dy, node.gathered});
}

void check_linear(const Var& x, const Var& weight, const Var& bias) {
  expect_rank("linear", "weight", weight.shape(), 2);
  if (x.shape().rank() == 0 || x.cols() != weight.shape()[0]) {
    throw ShapeError(cat("linear: inner dimensions differ: x is ", x.shape(), ", weight is ", weight.shape()));
  }
  if (bias) expect_shape("linear", "bias", bias.shape(), {weight.shape()[1]});
}

// y = x W + b;   dx += dy Wᵀ,   dW += xᵀ dy,   db += Σ_rows dy
void linear_backward(const Var& x, const Var& weight, const Var& bias, const Tensor& dy) {
  if (x.needs_grad()) {
    const GradTarget dx = x.grad_target();
    if (weight.node().products > 1) {
      kernels::multiply_panels(dy.matrix(), step_panels(weight, WeightSide::kTransposed), {}, dx.tensor.matrix(),
                               dx.before);
    } else {
      kernels::gemm(dy.matrix(), weight.value().matrix().t(), dx.tensor.matrix(), {.before = dx.before});
    }
  }
  if (weight.needs_grad()) {
    const bool parameter_used_often = weight.node().sink != nullptr && weight.node().products > 1;
    if (parameter_used_often) {
      gather_product(weight, x.value(), dy);
    } else {
      add_product(weight, x.value().matrix(), dy.matrix());
    }
  }
  if (bias && bias.needs_grad()) kernels::column_sums_add(dy.matrix(), bias.grad().span());
}

}  // namespace

Var linear(const Var& x, const Var& weight, const Var& bias) {
  check_linear(x, weight, bias);
  const Tensor y = x.scope().tensor(x.shape().with_cols(weight.shape()[1]));  // [.,O]
  row_product(x.value(), weight, WeightSide::kAsStored, bias, y);
  ++weight.node().products;
  const auto backward = [x, weight, bias](const Var& result) { linear_backward(x, weight, bias, result.grad()); };
  return bias ? record(y, {x, weight, bias}, backward) : record(y, {x, weight}, backward);
}

}  // namespace dhyan
