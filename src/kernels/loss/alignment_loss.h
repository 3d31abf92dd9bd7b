#pragma once

#include <span>

#include "core/real.h"

namespace dhyan::kernels {

// A link that attention is to follow: the weights of its N heads stand `stride` apart.
struct WeightedLink {
  Index first = 0;     // of the first head
  Index stride = 0;    // to the next
  Real partition = 0;  // of its query's gold distribution
};

// Against log 0, of what a window hides.
inline constexpr double kLeastWeight = 1e-6;

// Σ_links -g log(ᾱ + ε), ᾱ the mean over heads.
double alignment_loss(std::span<const Real> weights, std::span<const WeightedLink> links, Index heads);

// dα += dloss (-g / (N (ᾱ + ε)))
void alignment_loss_backward(std::span<const Real> weights, std::span<const WeightedLink> links, Index heads,
                             Real dloss, std::span<Real> dweights);

}  // namespace dhyan::kernels
