#pragma once

#include "core/rng.h"
#include "kernels/attention/attention_layout.h"

namespace dhyan::kernels {

// For each query and head one of its keys gets 1, the others 0. A query whose weights are all 0 chooses none; one with
// a weight that is not a number keeps that, for a diverging run to be seen.

void choose_largest(const AttentionLayout& layout, std::span<const Real> weights,
                    std::span<Real> chosen);  // the first of many

// Key j with probability weights[j].
void choose_at_random(const AttentionLayout& layout, std::span<const Real> weights, Rng noise, std::span<Real> chosen);

}  // namespace dhyan::kernels
