#include "models/guided_alignment.h"

#include <algorithm>

#include "ops/alignment_loss.h"
#include "ops/arena_copy.h"
#include "ops/arithmetic.h"

namespace dhyan {

namespace {

using kernels::WeightedLink;

std::span<const TokenLink> links_of(const Batch& batch, Index sentence) { return example_of(batch, sentence).links; }

// The links of one target; `links` are sorted by target.
std::span<const TokenLink> links_of(std::span<const TokenLink> links, Index target) {
  const auto token = static_cast<RowId>(target);
  return {std::ranges::lower_bound(links, token, {}, &TokenLink::target),
          std::ranges::upper_bound(links, token, {}, &TokenLink::target)};
}

// Writes the links of one query; the weights of its heads begin at `offset` and are `stride` apart.
WeightedLink* put(std::span<const TokenLink> links, Index offset, Index stride, WeightedLink* to) {
  const Real share = links.empty() ? Real{0} : Real{1} / static_cast<Real>(links.size());
  for (const TokenLink& link : links) *to++ = {offset + link.source, stride, share};
  return to;
}

}  // namespace

bool is_guided(const Scope& scope, const Batch& batch, const LossOptions& options) {
  return options.guided > 0 && scope.recording() && !batch.links.empty();
}

Var guidance(const Var& weights, const Batch& batch, const Segments& sources, Index heads) {
  const std::span<WeightedLink> all = arena_span<WeightedLink>(weights.scope().arena(), batch.links.size());
  WeightedLink* to = all.data();
  Index offset = 0;
  for (Index b = 0; b < batch.sentences(); ++b) {
    const Index T = batch.target_segments.length(b), S = sources.length(b);
    const std::span<const TokenLink> links = links_of(batch, b);
    for (Index t = 0; t < T; ++t) to = put(links_of(links, t), offset + t * S, T * S, to);
    offset += heads * T * S;
  }
  return alignment_loss(weights, all, heads);  // []
}

Var guidance(std::span<const Var> steps, const Batch& batch, const Segments& sources, const RecurrentPlan& plan,
             Index heads) {
  const std::span<WeightedLink> all = arena_span<WeightedLink>(steps.front().scope().arena(), batch.links.size());
  WeightedLink* to = all.data();
  Var sum;
  for (std::size_t t = 0; t < steps.size(); ++t) {
    WeightedLink* const begin = to;
    Index offset = 0;
    for (const RowId b : plan.sentences().first(static_cast<std::size_t>(plan.active(static_cast<Index>(t))))) {
      const Index S = sources.length(b);
      to = put(links_of(links_of(batch, b), static_cast<Index>(t)), offset, S, to);
      offset += heads * S;
    }
    const Var loss = alignment_loss(steps[t], {begin, to}, heads);  // []
    sum = sum ? add(sum, loss) : loss;                              // []
  }
  return sum;
}

}  // namespace dhyan
