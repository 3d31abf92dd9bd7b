#pragma once

#include <span>

#include "core/matrix.h"

namespace dhyan::kernels {

// Sums over rows, in nats.
struct CrossEntropy {
  double loss = 0;  // against the smoothed target
  double nll = 0;   // -log p(target), from which perplexity is computed
};

// q = 1 - smoothing + smoothing/V for the target, smoothing/V for the others ([szegedy2016] section 7).
// loss = Σ_rows -Σ_v q_v log p_v,  p = softmax(logits). Logits are overwritten by d(loss)/d(logits) = p - q.
CrossEntropy cross_entropy_with_gradient(Matrix logits, std::span<const RowId> targets, double smoothing);

// The same without gradient; does not change the logits.
CrossEntropy cross_entropy(ConstMatrix logits, std::span<const RowId> targets, double smoothing);

}  // namespace dhyan::kernels
