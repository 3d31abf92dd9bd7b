#include "kernels/attention/hard_attention.h"

#include <algorithm>
#include <numeric>

namespace dhyan::kernels {

namespace {

// choice(w, S, sum of w) is the index of the chosen weight.
template <class F>
void choose(const AttentionLayout& layout, std::span<const Real> weights, std::span<Real> chosen, const F& choice) {
  std::ranges::fill(chosen, Real{0});
  for_each_block(layout, [&](const LayoutBlock& block) {
    if (block.S == 0) return;
    for (Index t = 0; t < block.T; ++t) {
      const Index row = block.offset + t * block.S;
      const Real* w = weights.data() + row;
      const Real sum = std::accumulate(w, w + block.S, Real{0});
      Real* to = chosen.data() + row;
      if (sum > 0) {
        to[choice(w, block.S, sum)] = 1;
      } else {
        to[0] = sum;  // 0 or NaN
      }
    }
  });
}

// Inverse transform sampling: the key whose interval of [0,sum) contains `point`; after rounding, the last key.
Index key_at(const Real* w, Index S, Real point) {
  Index last = 0;
  for (Index j = 0; j < S; ++j) {
    if (w[j] <= 0) continue;
    last = j;
    point -= w[j];
    if (point < 0) break;
  }
  return last;
}

}  // namespace

void choose_largest(const AttentionLayout& layout, std::span<const Real> weights, std::span<Real> chosen) {
  choose(layout, weights, chosen, [](const Real* w, Index S, Real) { return std::max_element(w, w + S) - w; });
}

void choose_at_random(const AttentionLayout& layout, std::span<const Real> weights, double kept, Rng noise,
                      std::span<Real> chosen) {
  choose(layout, weights, chosen,
         [&](const Real* w, Index S, Real sum) { return key_at(w, S, sum * static_cast<Real>(noise.uniform())); });
  for_each_sentence(layout, [&](const LayoutSentence& of) {
    if (noise.uniform() >= kept) return;
    std::copy_n(weights.data() + of.offset, layout.heads * of.T * of.S, chosen.data() + of.offset);
  });
}

}  // namespace dhyan::kernels
