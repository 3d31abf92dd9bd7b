#pragma once

#include "ops/attention_products.h"

namespace dhyan {

// Chooses one key for each query and head, as weights of 0 and 1: without a tape the key of largest weight; in training
// at random, with the weights as probabilities, for half of the sentences, while the others keep their weights.
// Backward is the straight-through estimate: it passes the gradient of the choice to the weights.
Var hard_attention(const Var& weights, const AttentionLayout& layout);  // [Σ N T_b S_b] -> same

}  // namespace dhyan
