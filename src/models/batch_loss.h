#pragma once

#include "models/model.h"
#include "ops/output_loss.h"

namespace dhyan {

// Of a batch in which there is nothing to predict.
inline BatchLoss no_loss(Scope& scope) { return {scope.constant(Tensor::zeros_in(scope.arena(), {}))}; }

// Of the states under the output layer, one for each target.
inline BatchLoss batch_loss(const Var& y, const OutputLayer& output, std::span<const TokenId> targets,  // y [ΣT,H]
                            const LossOptions& options) {
  const OutputLoss result = output_loss(y, output, targets, {.label_smoothing = options.label_smoothing});
  return {result.loss, result.nll};
}

}  // namespace dhyan
