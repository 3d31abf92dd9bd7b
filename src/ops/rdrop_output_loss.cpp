#include "ops/rdrop_output_loss.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "kernels/loss/rdrop_cross_entropy.h"
#include "ops/expect_real.h"

namespace dhyan {

namespace {

void check_rdrop(const Var& first, const Var& second, const RDropOutputLossOptions& options) {
  expect_real("rdrop_output_loss", second);
  if (first.shape() != second.shape()) {
    throw ShapeError(cat("rdrop_output_loss: the first pass is ", first.shape(), ", the second is ", second.shape()));
  }
  check("rdrop_output_loss", {options.label_smoothing, options.chunk_rows});
  if (std::isfinite(options.alpha) && options.alpha >= 0) return;
  throw ConfigError(cat("rdrop_output_loss: alpha is ", options.alpha, ", expected 0 or more"));
}

// Both passes add to the weight and the bias.
OutputGradients beside(const OutputGradients& first, const Var& second) {
  OutputGradients d = first;
  d.x = second.needs_grad() ? second.scope().tensor(second.shape()) : Tensor();  // [M,H]
  return d;
}

}  // namespace

OutputLoss rdrop_output_loss(const Var& first, const Var& second, const OutputLayer& layer,
                             std::span<const RowId> targets, const RDropOutputLossOptions& options) {
  check_output("rdrop_output_loss", first, layer, targets);
  check_rdrop(first, second, options);
  const Index V = layer.weight.shape()[0], M = first.rows();
  const Index chunk = std::min(options.chunk_rows, std::max<Index>(M, 1));
  const OutputGradients d(first, layer), d2 = beside(d, second);
  const Tensor logits = first.scope().tensor({2 * chunk, V});  // [2C,V], reused by every chunk
  kernels::CrossEntropy total;
  for (Index begin = 0; begin < M; begin += chunk) {
    const Index end = std::min(begin + chunk, M), rows = end - begin;
    const Tensor z = logits.row_range(0, rows), z2 = logits.row_range(chunk, chunk + rows);  // [C,V]
    make_logits(first.value().row_range(begin, end), layer, z);
    make_logits(second.value().row_range(begin, end), layer, z2);
    const kernels::CrossEntropy part = kernels::rdrop_cross_entropy_with_gradient(
        z.matrix(), z2.matrix(), targets.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(rows)),
        {options.label_smoothing, options.alpha});
    total.loss += part.loss;
    total.nll += part.nll;
    chunk_backward(first.value(), layer, z, {begin, static_cast<Real>(begin == 0 ? 0 : 1)}, d);
    chunk_backward(second.value(), layer, z2, {begin, 1}, d2);
  }

  const Tensor loss = first.scope().tensor({});  // []
  loss.data()[0] = static_cast<Real>(total.loss);
  const auto backward = [first, second, layer, d, dx2 = d2.x](const Var& result) {
    const Real dloss = result.grad().item();
    add_scaled(first, d.x, dloss);
    add_scaled(second, dx2, dloss);
    add_scaled(layer.weight, d.weight, dloss);
    add_scaled(layer.bias, d.bias, dloss);
  };
  const Var y = layer.bias ? record(loss, {first, second, layer.weight, layer.bias}, backward)
                           : record(loss, {first, second, layer.weight}, backward);
  return {y, total.nll};
}

}  // namespace dhyan
