#include "ops/output_loss.h"

#include <algorithm>

#include "core/error.h"
#include "kernels/loss/cross_entropy.h"

namespace dhyan {

void check(const char* op, const OutputLossOptions& options) {
  if (!(options.label_smoothing >= 0 && options.label_smoothing < 1)) {
    throw ConfigError(cat(op, ": label smoothing is ", options.label_smoothing, ", expected 0 <= s < 1"));
  }
  if (options.chunk_rows < 1) throw ConfigError(cat(op, ": chunks of ", options.chunk_rows, " rows"));
}

OutputLoss output_loss(const Var& x, const OutputLayer& layer, std::span<const RowId> targets,
                       const OutputLossOptions& options) {
  check_output("output_loss", x, layer, targets);
  check("output_loss", options);
  const Index V = layer.weight.shape()[0], M = x.rows(), chunk = std::min(options.chunk_rows, std::max<Index>(M, 1));
  const OutputGradients d(x, layer);
  const Tensor logits = x.scope().tensor({chunk, V});  // [C,V], reused by every chunk
  kernels::CrossEntropy total;
  for (Index begin = 0; begin < M; begin += chunk) {
    const Index end = std::min(begin + chunk, M);
    const Tensor z = logits.row_range(0, end - begin);  // [C,V]
    make_logits(x.value().row_range(begin, end), layer, z);
    const auto words = targets.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
    const kernels::CrossEntropy part =
        d.wanted() ? kernels::cross_entropy_with_gradient(z.matrix(), words, options.label_smoothing)
                   : kernels::cross_entropy(z.matrix(), words, options.label_smoothing);
    total.loss += part.loss;
    total.nll += part.nll;
    if (d.wanted()) chunk_backward(x.value(), layer, z, {begin, static_cast<Real>(begin == 0 ? 0 : 1)}, d);
  }

  const Tensor loss = x.scope().tensor({});  // []
  loss.data()[0] = static_cast<Real>(total.loss);
  const auto backward = [x, layer, d](const Var& result) {
    const Real dloss = result.grad().item();
    add_scaled(x, d.x, dloss);
    add_scaled(layer.weight, d.weight, dloss);
    add_scaled(layer.bias, d.bias, dloss);
  };
  const Var y =
      layer.bias ? record(loss, {x, layer.weight, layer.bias}, backward) : record(loss, {x, layer.weight}, backward);
  return {y, total.nll};
}

}  // namespace dhyan
