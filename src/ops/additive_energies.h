#pragma once

#include "ops/attention_products.h"

namespace dhyan {

// e = Σ_a v_a tanh(q_a + k_a) for every pair, each head with A/N columns of its own: [ΣT,A], [ΣS,A], [A] ->
// [Σ N T_b S_b]. Never a [ΣTS,A] tensor.
Var additive_energies(const Var& queries, const Var& keys, const Var& v, const AttentionLayout& layout);

}  // namespace dhyan
