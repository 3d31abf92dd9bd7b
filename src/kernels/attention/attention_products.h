#pragma once

#include <span>

#include "core/matrix.h"
#include "kernels/attention/attention_layout.h"
#include "kernels/bfloat16/bfloat16_rows.h"

namespace dhyan::kernels {

// e_ij = scale * q_i k_j and c_i = Σ_j w_ij v_j, per sentence and head. The result of a query does not depend on other
// sentences. Callers check shapes.
void attention_energies(const AttentionLayout& layout, ConstMatrix queries, ConstMatrix keys,
                        Real scale,                 // [ΣT,N*K], [ΣS,N*K]
                        std::span<Real> energies);  // [Σ N T_b S_b]
void attention_contexts(const AttentionLayout& layout, std::span<const Real> weights,
                        ConstMatrix values,  // [Σ N T_b S_b], [ΣS,N*K]
                        Matrix contexts);    // [ΣT,N*K]

// The same for a bfloat16 KV cache.
void attention_energies(const AttentionLayout& layout, ConstMatrix queries, const Bfloat16Matrix& keys, Real scale,
                        std::span<Real> energies);
void attention_contexts(const AttentionLayout& layout, std::span<const Real> weights, const Bfloat16Matrix& values,
                        Matrix contexts);

}  // namespace dhyan::kernels
