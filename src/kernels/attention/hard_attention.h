#pragma once

#include "core/rng.h"
#include "kernels/attention/attention_layout.h"

namespace dhyan::kernels {

// Hard attention: for each query and head one key gets weight 1, the others 0. A query whose weights are all 0 chooses
// none; NaN stays NaN, so that a diverging run is noticed.

void choose_largest(const AttentionLayout& layout, std::span<const Real> weights,
                    std::span<Real> chosen);  // the first if several are equal

// Key j with probability weights[j]; all queries of a sentence keep their weights with probability `kept`.
void choose_at_random(const AttentionLayout& layout, std::span<const Real> weights, double kept, Rng noise,
                      std::span<Real> chosen);

}  // namespace dhyan::kernels
