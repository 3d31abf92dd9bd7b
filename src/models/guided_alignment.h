#pragma once

#include "models/model.h"
#include "nn/recurrent_plan.h"

namespace dhyan {

// Whether links of this batch guide attention; in training only.
bool is_guided(const Scope& scope, const Batch& batch, const LossOptions& options);

// The alignment loss of a batch ([chen2016]), summed over target tokens: each token with links should attend to all
// of them equally; tokens without links add nothing.
//   weights  of one layer, [Σ N T_b S_b] as kernels::AttentionLayout of the batch's targets and sources lays them out
//   sources  the annotations that each source of the batch has
Var guidance(const Var& weights, const Batch& batch, const Segments& sources, Index heads);  // []

//   steps    of a recurrent decoder, the weights of step t those of the sentences that are live then
Var guidance(std::span<const Var> steps, const Batch& batch, const Segments& sources, const RecurrentPlan& plan,
             Index heads);  // []

}  // namespace dhyan
