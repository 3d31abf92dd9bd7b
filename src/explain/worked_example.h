#pragma once

#include <string>
#include <vector>

#include "core/tensor.h"
#include "explain/colour.h"

namespace dhyan {

// Self-attention on three tokens with numbers small enough to check by hand. Weights multiply the matrix of
// embeddings from the left, and scores are not scaled: Q = W_q X, K = W_k X, V = W_v X, α = softmax(Q Kᵀ), c = α V.
struct SelfAttentionExample {
  std::vector<std::string> tokens;
  Tensor X;              // [3,3]  one embedding a row
  Tensor W_q, W_k, W_v;  // [3,3]
  Tensor Q, K, V;        // [3,3]
  Tensor energy;         // [3,3]  e_ij: row i asks, column j answers
  Tensor weights;        // [3,3]  α_ij
  Tensor context;        // [3,3]  c_i
};

SelfAttentionExample self_attention_example();

// The example as text, step by step, as a terminal shows it.
std::string to_text(const SelfAttentionExample& example, Colour colour);

}  // namespace dhyan
