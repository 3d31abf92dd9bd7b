#pragma once

#include <span>

#include "core/real.h"

namespace dhyan::kernels {

// A gold alignment link: the attention weights of its N heads are `stride` apart.
struct WeightedLink {
  Index first = 0;       // index of the first head's weight
  Index stride = 0;      // to the next head's
  Real probability = 0;  // in its query's gold distribution
};

// Avoids log 0 where a window masks the key.
inline constexpr double kMinWeight = 1e-6;

// Σ_links -g log(ᾱ + ε), ᾱ the mean over heads.
double alignment_loss(std::span<const Real> weights, std::span<const WeightedLink> links, Index heads);

// dα += dloss (-g / (N (ᾱ + ε)))
void alignment_loss_backward(std::span<const Real> weights, std::span<const WeightedLink> links, Index heads,
                             Real dloss, std::span<Real> dweights);

}  // namespace dhyan::kernels
