#pragma once

#include "kernels/loss/cross_entropy.h"

namespace dhyan::kernels {

struct RDropOptions {
  double smoothing = 0;  // of the targets, as in cross_entropy()
  double alpha = 0;      // weight of the divergence
};

// R-Drop ([liang2021]) over the logits of two passes, p = softmax(first) and q = softmax(second), row by row:
//   loss = (CE(p) + CE(q)) / 2 + α (KL(p||q) + KL(q||p)) / 2;   nll is the mean of the two
// With t the smoothed target and δ_v = log p_v - log q_v, logits are overwritten by
//   d(first)_v  = (p_v - t_v) / 2 + α/2 (p_v (δ_v - KL(p||q)) + p_v - q_v)
//   d(second)_v = (q_v - t_v) / 2 + α/2 (q_v (-δ_v - KL(q||p)) + q_v - p_v)
CrossEntropy rdrop_cross_entropy_with_gradient(Matrix first, Matrix second, std::span<const RowId> targets,
                                               const RDropOptions& options);

}  // namespace dhyan::kernels
