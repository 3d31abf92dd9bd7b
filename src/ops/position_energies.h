#pragma once

#include "ops/attention_products.h"

namespace dhyan {

// Energies that depend on the position of a key, not on its content.

// Position j of a source gets the query's j-th element, positions from L on get -inf: [ΣT,N*L] -> [Σ N T_b S_b]
Var position_energies(const Var& by_position, const AttentionLayout& layout);

// The logarithm of a Gaussian around p = S_b c for a query's centre c in [0,1], up to a constant: [ΣT,1] ->
// [Σ N T_b S_b]
Var log_gaussians(const Var& centres, Real sigma, const AttentionLayout& layout);

}  // namespace dhyan
