#include "kernels/loss/alignment_loss.h"

#include <cmath>

namespace dhyan::kernels {

namespace {

double mean_weight(std::span<const Real> weights, const WeightedLink& link, Index heads) {
  double sum = 0;
  for (Index head = 0; head < heads; ++head) sum += weights[static_cast<std::size_t>(link.first + head * link.stride)];
  return sum / static_cast<double>(heads);
}

}  // namespace

double alignment_loss(std::span<const Real> weights, std::span<const WeightedLink> links, Index heads) {
  double loss = 0;
  for (const WeightedLink& link : links)
    loss -= link.probability * std::log(mean_weight(weights, link, heads) + kMinWeight);
  return loss;
}

void alignment_loss_backward(std::span<const Real> weights, std::span<const WeightedLink> links, Index heads,
                             Real dloss, std::span<Real> dweights) {
  for (const WeightedLink& link : links) {
    const double mean = mean_weight(weights, link, heads) + kMinWeight;
    const Real gradient = static_cast<Real>(-dloss * link.probability / (static_cast<double>(heads) * mean));
    for (Index head = 0; head < heads; ++head) {
      dweights[static_cast<std::size_t>(link.first + head * link.stride)] += gradient;
    }
  }
}

}  // namespace dhyan::kernels
