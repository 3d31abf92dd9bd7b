#include "ops/linear.h"

#include <algorithm>

#include "core/error.h"
#include "kernels/elementwise/activations.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/gemm/gemm.h"
#include "ops/expect_real.h"
#include "ops/op_cache.h"
#include "ops/prepack.h"
#include "ops/row_product.h"
#include "ops/weight_target.h"

namespace dhyan {

namespace {

// The most rows to gather for one GEMM; more would not stay in the cache.
constexpr Index kGatheredRows = 2048;

void add_product(const Var& weight, const Matrix& x, const Matrix& dy) {
  const GradTarget dw = weight_target(weight);
  kernels::gemm(x.t(), dy, dw.tensor.matrix(), {.beta = dw.beta, .precision = weight.scope().precision()});
}

void add_gathered(const Var& weight) {
  GatheredProducts& gathered = op_cache(weight).gathered;
  if (gathered.rows == 0) return;
  const auto filled = [&](const Matrix& all) { return Matrix{all.data, gathered.rows, all.cols, all.stride}; };
  add_product(weight, filled(gathered.x), filled(gathered.dy));
  gathered.rows = 0;
}

void release(Arena& arena, const Matrix& x) {
  arena.release(x.data, static_cast<std::size_t>(x.rows * x.cols) * sizeof(Real));
}

void copy_rows(const Tensor& from, const Matrix& to, Index row) { std::copy_n(from.data(), from.size(), to.row(row)); }

// dW += [x_1; x_2; ...]ᵀ [dy_1; dy_2; ...], once there are enough rows or all of them
void gather_product(const Var& weight, const Tensor& x, const Tensor& dy) {
  OpCache& cache = op_cache(weight);
  GatheredProducts& gathered = cache.gathered;
  const Index M = x.rows(), capacity = std::min(cache.product_rows, kGatheredRows);
  if (2 * M >= capacity) return add_product(weight, x.matrix(), dy.matrix());  // large enough for its own GEMM
  if (gathered.x.data == nullptr) {
    const Scope& scope = weight.scope();
    gathered.x = scope.tensor({capacity, weight.shape()[0]}).matrix();   // [C,I]
    gathered.dy = scope.tensor({capacity, weight.shape()[1]}).matrix();  // [C,O]
    scope.tape()->when_swept(scope.arena(), weight, [weight] {
      add_gathered(weight);
      release(weight.scope().arena(), op_cache(weight).gathered.x);
      release(weight.scope().arena(), op_cache(weight).gathered.dy);
    });
  }
  if (gathered.rows + M > capacity) add_gathered(weight);
  copy_rows(x, gathered.x, gathered.rows);
  copy_rows(dy, gathered.dy, gathered.rows);
  gathered.rows += M;
}

void check_linear(const char* op, const Var& x, const Var& weight, const Var& bias) {
  expect_real(op, x, bias);
  expect_weight(op, weight);
  expect_rank(op, "weight", weight.shape(), 2);
  if (x.shape().rank() == 0 || x.cols() != weight.shape()[0]) {
    throw ShapeError(cat(op, ": inner dimensions differ: x is ", x.shape(), ", weight is ", weight.shape()));
  }
  if (bias) expect_shape(op, "bias", bias.shape(), {weight.shape()[1]});
}

enum class Epilogue { kNone, kRelu };

Tensor gemm_of(const char* op, const Var& x, const Var& weight, const Var& bias, Epilogue epilogue) {
  check_linear(op, x, weight, bias);
  const Tensor y = x.scope().tensor(x.shape().with_cols(weight.shape()[1]));  // [.,O]
  const bool recording = x.scope().recording();
  if (epilogue == Epilogue::kRelu && recording && op_cache(weight).linear_calls == 0) {
    kernels::gemm(x.value().matrix(), weight.value().matrix(), y.matrix(),
                  {.bias = bias.value().span(), .relu = true, .precision = x.scope().precision()});
  } else {
    row_product(x, weight, WeightSide::kAsStored, bias, y);
    if (epilogue == Epilogue::kRelu) kernels::relu(y.span(), y.span());
  }
  if (recording) {
    ++op_cache(weight).linear_calls;
    op_cache(weight).product_rows += x.rows();
  }
  return y;
}

// y = x W + b;   dx += dy Wᵀ,   dW += xᵀ dy,   db += Σ_rows dy
void linear_backward(const Var& x, const Var& weight, const Var& bias, const Tensor& dy) {
  if (x.needs_grad()) {
    const GradTarget dx = x.grad_target();
    if (op_cache(weight).linear_calls > 1) {
      kernels::multiply_panels(dy.matrix(), step_panels(weight, WeightSide::kTransposed), {}, dx.tensor.matrix(),
                               dx.beta);
    } else {
      kernels::gemm(dy.matrix(), weight.value().matrix().t(), dx.tensor.matrix(),
                    {.beta = dx.beta, .precision = x.scope().precision()});
    }
  }
  if (weight.needs_grad()) {
    const bool parameter_used_often = weight.node().sink != nullptr && op_cache(weight).linear_calls > 1;
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
  const Tensor y = gemm_of("linear", x, weight, bias, Epilogue::kNone);  // [.,O]
  const auto backward = [x, weight, bias](const Var& result) { linear_backward(x, weight, bias, result.grad()); };
  return bias ? record(y, {x, weight, bias}, backward) : record(y, {x, weight}, backward);
}

// y = max(x W + b, 0);   of x W + b: dy where y > 0
Var linear_relu(const Var& x, const Var& weight, const Var& bias) {
  const Tensor y = gemm_of("linear_relu", x, weight, bias, Epilogue::kRelu);  // [.,O]
  return record(y, {x, weight, bias}, [x, weight, bias](const Var& result) {
    kernels::relu_backward_in_place(result.value().span(), result.grad().span());
    linear_backward(x, weight, bias, result.grad());
  });
}

}  // namespace dhyan
