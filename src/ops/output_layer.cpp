#include "ops/output_layer.h"

#include <algorithm>
#include <limits>

#include "core/error.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/gemm/gemm.h"
#include "kernels/int8/int8_top_k.h"
#include "ops/expect_real.h"
#include "ops/prepack.h"
#include "ops/row_product.h"

namespace dhyan {

namespace {

// Rows whose logits take as much memory as the weight in int8: with fewer, reading the weight for every chunk would
// take longer than logits that leave the cache. A weight that is not prepacked is packed by every GEMM, so there is one
// chunk.
Index ranked_chunk(const OutputLayer& layer) {
  constexpr Index kFewest = 32;
  if (prepacked(layer.weight) == nullptr) return std::numeric_limits<Index>::max();
  return std::max(kFewest, layer.weight.cols() / static_cast<Index>(sizeof(Real)));
}

}  // namespace

void check_output(const char* op, const Var& x, const OutputLayer& layer) {
  expect_real(op, x, layer.bias);
  expect_weight(op, layer.weight);
  expect_rank(op, "x", x.shape(), 2);
  expect_rank(op, "weight", layer.weight.shape(), 2);
  if (x.cols() != layer.weight.cols()) {
    throw ShapeError(cat(op, ": x is ", x.shape(), ", weight is ", layer.weight.shape(), "; widths differ"));
  }
  if (layer.bias) expect_shape(op, "bias", layer.bias.shape(), {layer.weight.shape()[0]});
}

void check_output(const char* op, const Var& x, const OutputLayer& layer, std::span<const RowId> targets) {
  check_output(op, x, layer);
  const Index V = layer.weight.shape()[0];
  if (static_cast<Index>(targets.size()) != x.rows()) {
    throw ShapeError(cat(op, ": ", targets.size(), " targets for ", x.rows(), " rows"));
  }
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (targets[i] >= 0 && targets[i] < V) continue;
    throw DataError(cat(op, ": target ", i, " is word ", targets[i], " of a vocabulary of ", V));
  }
}

std::vector<kernels::Ranked> best_outputs(const Var& x, const OutputLayer& layer, Index k) {
  check_output("best_outputs", x, layer);
  const Scope& scope = x.scope();
  const Prepacked* form = prepacked(layer.weight);
  if (form == nullptr || k > layer.weight.shape()[0]) return {};
  std::vector<kernels::Ranked> best(static_cast<std::size_t>(x.rows() * k));
  const ConstMatrix rows = x.value().matrix();                                                    // [.,H]
  const std::span<const Real> bias = layer.bias ? layer.bias.value().span() : std::span<Real>();  // [V]
  if (form->int8 != nullptr) {
    kernels::int8_top_k(*form->int8, rows, bias, best, scope.intra_op());
    return best;
  }
  const bool found =
      form->panels.top_k(rows, layer.weight.value().matrix().t(), bias, best, packed_gemm_options(scope));
  return found ? best : std::vector<kernels::Ranked>();
}

RankedOutputs ranked_outputs(const Var& x, const OutputLayer& layer, Index k) {
  check_output("ranked_outputs", x, layer);
  const Index M = x.rows(), V = layer.weight.shape()[0];
  if (k > V) return {};
  RankedOutputs outputs{std::vector<kernels::Ranked>(static_cast<std::size_t>(M * k)),
                        std::vector<double>(static_cast<std::size_t>(M))};
  const Index chunk = std::min(M, ranked_chunk(layer));
  const Tensor logits = x.scope().tensor({chunk, V});  // [C,V], reused by every chunk
  for (Index begin = 0; begin < M; begin += chunk) {
    const Index end = std::min(begin + chunk, M);
    const Tensor z = logits.row_range(0, end - begin);
    make_logits(x.value().row_range(begin, end), layer, z);
    kernels::log_sum_and_top_k_rows(z.matrix(), std::span(outputs.log_sums).subspan(static_cast<std::size_t>(begin)), k,
                                    std::span(outputs.best).subspan(static_cast<std::size_t>(begin * k)));
  }
  return outputs;
}

OutputGradients::OutputGradients(const Var& x_of, const OutputLayer& layer) {
  const auto needed = [](const Var& v) { return v && v.needs_grad(); };
  const Scope& scope = x_of.scope();
  if (needed(x_of)) x = scope.tensor(x_of.shape());
  if (needed(layer.weight)) weight = scope.tensor(layer.weight.shape());
  if (needed(layer.bias)) bias = Tensor::zeros_in(scope.arena(), layer.bias.shape());
  if (x_of.rows() == 0 && !weight.empty()) weight.fill(0);
}

// Z = X Wᵀ + b
void make_logits(const Tensor& x, const OutputLayer& layer, const Tensor& z) {
  row_product(x, layer.weight, WeightSide::kTransposed, layer.bias, z);
}

// Z = X Wᵀ + b;   dX = dZ W,   dW += dZᵀ X,   db += Σ_rows dZ
void chunk_backward(const Tensor& x, const OutputLayer& layer, const Tensor& dz, const OutputChunk& chunk,
                    const OutputGradients& d) {
  const Index begin = chunk.begin, end = begin + dz.rows();
  const Precision precision = layer.weight.scope().precision();
  if (!d.x.empty()) {
    kernels::gemm(dz.matrix(), layer.weight.value().matrix(), d.x.row_range(begin, end).matrix(),
                  {.precision = precision});
  }
  if (!d.weight.empty()) {
    kernels::gemm(dz.matrix().t(), x.row_range(begin, end).matrix(), d.weight.matrix(),
                  {.beta = chunk.beta, .precision = precision});
  }
  if (!d.bias.empty()) kernels::column_sums_add(dz.matrix(), d.bias.span());
}

void add_scaled(const Var& to, const Tensor& gradient, Real factor) {
  if (gradient.empty()) return;
  if (to.node().sink == nullptr) return kernels::scale_add(gradient.span(), factor, to.grad().span());
  to.scope().tape()->when_swept(to.scope().arena(), to,
                                [=] { kernels::scale_add(gradient.span(), factor, to.sink().touch_all().span()); });
}

// Z = X Wᵀ + b;   dX += dZ W,   dW += dZᵀ X,   db += Σ_rows dZ
Var output_logits(const Var& x, const OutputLayer& layer) {
  check_output("output_logits", x, layer);
  const Tensor z = x.scope().tensor({x.rows(), layer.weight.shape()[0]});  // [M,V]
  make_logits(x.value(), layer, z);
  const auto backward = [x, layer](const Var& result) {
    const Matrix dz = result.grad().matrix();  // [M,V]
    const auto add = [](const Var& to, const ConstMatrix& a, const ConstMatrix& b) {
      if (!to.needs_grad()) return;
      kernels::gemm(a, b, to.grad().matrix(), {.beta = 1, .precision = to.scope().precision()});
    };
    add(x, dz, layer.weight.value().matrix());
    add(layer.weight, dz.t(), x.value().matrix());
    if (layer.bias && layer.bias.needs_grad()) kernels::column_sums_add(dz, layer.bias.grad().span());
  };
  return layer.bias ? record(z, {x, layer.weight, layer.bias}, backward) : record(z, {x, layer.weight}, backward);
}

}  // namespace dhyan
