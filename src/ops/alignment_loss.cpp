#include "ops/alignment_loss.h"

#include "core/error.h"
#include "ops/expect_real.h"

namespace dhyan {

// L = -Σ g log(ᾱ + ε);   dα += -dL g / (N (ᾱ + ε))
Var alignment_loss(const Var& weights, std::span<const kernels::WeightedLink> links, Index heads) {
  expect_real("alignment_loss", weights);
  if (heads < 1) throw ShapeError(cat("alignment_loss: ", heads, " heads, expected 1 or more"));
  for (const kernels::WeightedLink& link : links) {
    const Index last = link.first + (heads - 1) * link.stride;
    if (link.first >= 0 && link.stride >= 0 && last < weights.value().size()) continue;
    throw ShapeError(cat("alignment_loss: a link at ", link.first, ", the last of its heads at ", last, ", of weights ",
                         weights.shape()));
  }
  const Tensor loss = weights.scope().tensor({});  // []
  loss.data()[0] = static_cast<Real>(kernels::alignment_loss(weights.value().span(), links, heads));
  return record(loss, {weights}, [weights, links, heads](const Var& result) {
    kernels::alignment_loss_backward(weights.value().span(), links, heads, result.grad().item(), weights.grad().span());
  });
}

}  // namespace dhyan
