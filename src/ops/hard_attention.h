#pragma once

#include "ops/attention_products.h"

namespace dhyan {

// One key for each query and head, as weights of 0 and 1: in training drawn by the weights, without a tape the one
// that weighs most. Backward takes the choice for the weights it was made by: a straight-through estimate.
Var hard_attention(const Var& weights, const AttentionLayout& layout);  // [Σ N T_b S_b] -> same

}  // namespace dhyan
