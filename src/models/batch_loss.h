#pragma once

#include "models/model.h"
#include "ops/twin_output_loss.h"

namespace dhyan {

// Of a batch in which there is nothing to predict.
inline BatchLoss no_loss(Scope& scope) { return {scope.constant(Tensor::zeros_in(scope.arena(), {}))}; }

// Of the states under the output layer, one for each target: states() runs the network. In training by R-Drop it runs
// twice, each time with dropout of its own.
template <class States>
BatchLoss batch_loss(const States& states, const OutputLayer& output, std::span<const TokenId> targets,
                     const LossOptions& options) {
  const Var y = states();  // [ΣT,H]
  const bool twice = options.r_drop > 0 && y.scope().recording();
  const OutputLoss result =
      twice ? twin_output_loss(y, states(), output, targets, {options.label_smoothing, options.r_drop})
            : output_loss(y, output, targets, {.label_smoothing = options.label_smoothing});
  return {result.loss, result.nll};
}

}  // namespace dhyan
