#include "ops/output_loss.h"

#include <algorithm>

#include "core/error.h"
#include "kernels/cross_entropy.h"
#include "kernels/elementwise.h"
#include "kernels/gemm.h"
#include "ops/row_product.h"

namespace dhyan {

namespace {

void check_layer(const char* op, const Var& x, const OutputLayer& layer) {
  expect_rank(op, "x", x.shape(), 2);
  expect_rank(op, "weight", layer.weight.shape(), 2);
  if (x.cols() != layer.weight.cols()) {
    throw ShapeError(cat(op, ": x is ", x.shape(), ", weight is ", layer.weight.shape(), "; widths differ"));
  }
  if (layer.bias) expect_shape(op, "bias", layer.bias.shape(), {layer.weight.shape()[0]});
}

void check(const Var& x, const OutputLayer& layer, std::span<const RowId> targets, const OutputLossOptions& options) {
  check_layer("output_loss", x, layer);
  const Index V = layer.weight.shape()[0];
  if (static_cast<Index>(targets.size()) != x.rows()) {
    throw ShapeError(cat("output_loss: ", targets.size(), " targets for ", x.rows(), " rows"));
  }
  if (!(options.label_smoothing >= 0 && options.label_smoothing < 1)) {
    throw ConfigError(cat("output_loss: label smoothing is ", options.label_smoothing, ", expected 0 <= s < 1"));
  }
  if (options.chunk_rows < 1) throw ConfigError(cat("output_loss: chunks of ", options.chunk_rows, " rows"));
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (targets[i] >= 0 && targets[i] < V) continue;
    throw DataError(cat("output_loss: target ", i, " is word ", targets[i], " of a vocabulary of ", V));
  }
}

// The gradients for d(loss) = 1, made on the way forward while the logits are there. Empty where none is needed.
struct Gradients {
  Tensor x;       // [M,H]
  Tensor weight;  // [V,H]
  Tensor bias;    // [V]
};

Gradients make_gradients(const Var& x, const OutputLayer& layer) {
  const auto wanted = [](const Var& v) { return v && v.needs_grad(); };
  const Scope& scope = x.scope();
  Gradients d;
  if (wanted(x)) d.x = scope.tensor(x.shape());
  if (wanted(layer.weight)) d.weight = scope.tensor(layer.weight.shape());
  if (wanted(layer.bias)) d.bias = Tensor::zeros_in(scope.arena(), layer.bias.shape());
  if (x.rows() == 0 && !d.weight.empty()) d.weight.fill(0);
  return d;
}

// Z = X Wᵀ + b
void make_logits(const Tensor& x, const OutputLayer& layer, const Tensor& z) {
  row_product(layer.weight.scope(), x, layer.weight.value().matrix().t(), z);
  if (layer.bias) kernels::add_bias(z.matrix(), layer.bias.value().span(), z.matrix());
}

template <class Backward>
Var record_layer(const Tensor& result, const Var& x, const OutputLayer& layer, const Backward& backward) {
  return layer.bias ? record(result, {x, layer.weight, layer.bias}, backward)
                    : record(result, {x, layer.weight}, backward);
}

// Z = X Wᵀ + b;   dX = dZ W,   dW += dZᵀ X,   db += Σ_rows dZ
void chunk_backward(const Tensor& x, const OutputLayer& layer, const Tensor& dz, Index begin, const Gradients& d) {
  const Index end = begin + dz.rows();
  if (!d.x.empty()) kernels::gemm(dz.matrix(), layer.weight.value().matrix(), d.x.row_range(begin, end).matrix());
  if (!d.weight.empty()) {
    kernels::gemm(dz.matrix().t(), x.row_range(begin, end).matrix(), d.weight.matrix(),
                  {.before = static_cast<Real>(begin == 0 ? 0 : 1)});
  }
  if (!d.bias.empty()) kernels::column_sums_add(dz.matrix(), d.bias.span());
}

void add_scaled(const Var& to, const Tensor& gradient, Real factor) {
  if (!gradient.empty()) kernels::scale_add(gradient.span(), factor, to.grad().span());
}

}  // namespace

// Z = X Wᵀ + b;   dX += dZ W,   dW += dZᵀ X,   db += Σ_rows dZ
Var output_logits(const Var& x, const OutputLayer& layer) {
  check_layer("output_logits", x, layer);
  const Tensor z = x.scope().tensor({x.rows(), layer.weight.shape()[0]});  // [M,V]
  make_logits(x.value(), layer, z);
  return record_layer(z, x, layer, [x, layer](const Var& result) {
    const Matrix dz = result.grad().matrix();  // [M,V]
    const auto add = [](const Var& to, const ConstMatrix& a, const ConstMatrix& b) {
      if (to.needs_grad()) kernels::gemm(a, b, to.grad().matrix(), {.before = 1});
    };
    add(x, dz, layer.weight.value().matrix());
    add(layer.weight, dz.t(), x.value().matrix());
    if (layer.bias && layer.bias.needs_grad()) kernels::column_sums_add(dz, layer.bias.grad().span());
  });
}

OutputLoss output_loss(const Var& x, const OutputLayer& layer, std::span<const RowId> targets,
                       const OutputLossOptions& options) {
  check(x, layer, targets, options);
  const Index V = layer.weight.shape()[0], M = x.rows(), chunk = std::min(options.chunk_rows, std::max<Index>(M, 1));
  const Gradients d = make_gradients(x, layer);
  const bool backward = !d.x.empty() || !d.weight.empty() || !d.bias.empty();
  const Tensor logits = x.scope().tensor({chunk, V});  // [C,V], used again for every chunk
  kernels::CrossEntropy total;
  for (Index begin = 0; begin < M; begin += chunk) {
    const Index end = std::min(begin + chunk, M);
    const Tensor z = logits.row_range(0, end - begin);  // [C,V]
    make_logits(x.value().row_range(begin, end), layer, z);
    const auto words = targets.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
    const kernels::CrossEntropy part =
        backward ? kernels::cross_entropy_with_gradient(z.matrix(), words, options.label_smoothing)
                 : kernels::cross_entropy(z.matrix(), words, options.label_smoothing);
    total.loss += part.loss;
    total.nll += part.nll;
    if (backward) chunk_backward(x.value(), layer, z, begin, d);
  }

  const Tensor loss = x.scope().tensor({});  // []
  loss.data()[0] = static_cast<Real>(total.loss);
  const Var y = record_layer(loss, x, layer, [x, layer, d](const Var& result) {
    const Real dloss = result.grad().item();
    add_scaled(x, d.x, dloss);
    add_scaled(layer.weight, d.weight, dloss);
    add_scaled(layer.bias, d.bias, dloss);
  });
  return {y, total.nll};
}

}  // namespace dhyan
