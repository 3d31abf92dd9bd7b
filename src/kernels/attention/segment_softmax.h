#pragma once

#include "kernels/attention/attention_layout.h"

namespace dhyan::kernels {

// Each query's values of each head become weights over the keys it may see: p_j = exp(e_j) / Σ_k exp(e_k) within its
// range, exactly 0 outside. A query that sees nothing, or only -inf, gets all zeros. `energies` and `weights` may be
// the same memory.
void segment_softmax(const AttentionLayout& layout, const AttentionMask& visible, std::span<const Real> energies,
                     std::span<Real> weights);

// de_j += p_j (dp_j - Σ_k p_k dp_k)
void segment_softmax_backward(const AttentionLayout& layout, std::span<const Real> weights,
                              std::span<const Real> dweights, std::span<Real> denergies);

}  // namespace dhyan::kernels
