#pragma once

#include "models/model.h"
#include "nn/recurrent_plan.h"

namespace dhyan {

// Is attention to follow the links of this batch? In training only.
bool is_guided(const Scope& scope, const Batch& batch, const LossOptions& options);

// How far attention is from the links of a batch, summed over target tokens: each token that has links is to look at
// them alike, the others are free ([chen2016]).
//   weights  of one layer, [Σ N T_b S_b] as kernels::AttentionLayout of the batch's targets and sources lays them out
Var guidance(const Var& weights, const Batch& batch, Index heads);  // []

//   steps    of a recurrent decoder, the weights of step t those of the sentences that are live then
Var guidance(std::span<const Var> steps, const Batch& batch, const RecurrentPlan& plan, Index heads);  // []

}  // namespace dhyan
