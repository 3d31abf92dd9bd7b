#pragma once

#include <string>
#include <vector>

#include "core/tensor.h"
#include "explain/colour.h"

namespace dhyan {

// Self-attention computed from queries, keys and values: α = softmax(Q Kᵀ), c = α V. Scores are not scaled.
struct SelfAttended {
  Tensor Q, K, V;  // [3,3]
  Tensor energy;   // [3,3]  e_ij: query i, key j
  Tensor weights;  // [3,3]  α_ij
  Tensor context;  // [3,3]  c_i
};

// Self-attention on three tokens with values that are easy to check by hand, in both orders of multiplication. The text
// the example comes from multiplies from the left. Models multiply from the right, so that a row of Q depends on one
// token only.
struct SelfAttentionExample {
  std::vector<std::string> tokens;
  Tensor X;              // [3,3]  one embedding per row
  Tensor W_q, W_k, W_v;  // [3,3]
  SelfAttended left;     // Q = W_q X, K = W_k X, V = W_v X
  SelfAttended right;    // Q = X W_q, K = X W_k, V = X W_v
};

SelfAttentionExample self_attention_example();

// The example as text for a terminal, step by step, both orders side by side.
std::string to_text(const SelfAttentionExample& example, Colour colour);

}  // namespace dhyan
