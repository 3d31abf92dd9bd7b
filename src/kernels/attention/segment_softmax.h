#pragma once

#include "kernels/attention/attention_layout.h"

namespace dhyan::kernels {

// Masked softmax over the keys, per query and head: p_j = exp(e_j) / Σ_k exp(e_k) within the query's range, exactly 0
// outside. A query with no key in range, or with energies of -inf only, gets zeros. `energies` and `weights` may be the
// same memory.
void segment_softmax(const AttentionLayout& layout, const AttentionMask& mask, std::span<const Real> energies,
                     std::span<Real> weights);

// de_j += p_j (dp_j - Σ_k p_k dp_k)
void segment_softmax_backward(const AttentionLayout& layout, std::span<const Real> weights,
                              std::span<const Real> dweights, std::span<Real> denergies);

}  // namespace dhyan::kernels
