#pragma once

#include "models/model.h"
#include "ops/arithmetic.h"
#include "ops/rdrop_output_loss.h"

namespace dhyan {

// The loss of a batch without tokens to predict.
inline BatchLoss no_loss(Scope& scope) { return {scope.constant(Tensor::zeros_in(scope.arena(), {}))}; }

// The output of the network for a batch.
struct Pass {
  Var states;         // [ΣT,H]  under the output layer, one for each target
  Var guidance = {};  // []      the alignment loss, with guided alignment
};

inline Var guided(const Var& loss, const Pass& pass, double weight) {
  return pass.guidance ? add(loss, scale(pass.guidance, static_cast<Real>(weight))) : loss;  // []
}

// The loss of the network in run(). With R-Drop, training calls run() twice, with different dropout.
template <class Run>
BatchLoss batch_loss(const Run& run, const OutputLayer& output, std::span<const TokenId> targets,
                     const LossOptions& options) {
  const Pass first = run();
  if (options.r_drop == 0 || !first.states.scope().recording()) {
    const OutputLoss once = output_loss(first.states, output, targets, {.label_smoothing = options.label_smoothing});
    return {guided(once.loss, first, options.guided), once.nll};
  }
  const Pass second = run();
  const OutputLoss twice =
      rdrop_output_loss(first.states, second.states, output, targets, {options.label_smoothing, options.r_drop});
  return {guided(guided(twice.loss, first, options.guided / 2), second, options.guided / 2), twice.nll};
}

}  // namespace dhyan
