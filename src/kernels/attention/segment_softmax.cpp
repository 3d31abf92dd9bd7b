#include "kernels/attention/segment_softmax.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/attention/segment_softmax.cpp"
#include <hwy/foreach_target.h>

#include "kernels/rows/softmax-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {
namespace {

HWY_INLINE void softmax_in_range(const KeyRange& range, Index S, const Real* e, Real* p) {
  if (range.begin > 0) std::fill_n(p, range.begin, Real{0});
  softmax_row(range.end - range.begin, e + range.begin, p + range.begin);
  if (range.end < S) std::fill(p + range.end, p + S, Real{0});
}

bool all_unmasked(const AttentionMask& mask, const LayoutSentence& of) {
  for (Index t = 0; t < of.T; ++t) {
    const KeyRange range = mask.range(of.query_begin + t, of.S);
    if (range.begin > 0 || range.end < of.S) return false;
  }
  return true;
}

void softmax(const AttentionLayout& layout, const AttentionMask& mask, const Real* energies, Real* weights) {
  for_each_sentence(layout, [&](const LayoutSentence& of) HWY_ATTR {
    const Real* e = energies + of.offset;
    Real* p = weights + of.offset;
    const Index rows = layout.heads * of.T;
    for (Index row = all_unmasked(mask, of) ? softmax_by_fours(rows, of.S, e, p) : 0; row < rows; ++row) {
      softmax_in_range(mask.range(of.query_begin + row % of.T, of.S), of.S, e + row * of.S, p + row * of.S);
    }
  });
}

void softmax_backward(const AttentionLayout& layout, const Real* weights, const Real* dweights, Real* denergies) {
  for_each_block(layout, [&](const LayoutBlock& block) {
    for (Index t = 0; t < block.T; ++t) {
      const Index row = block.offset + t * block.S;
      softmax_row_backward(block.S, weights + row, dweights + row, denergies + row);
    }
  });
}

}  // namespace
}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dhyan::kernels {

HWY_EXPORT(softmax);
HWY_EXPORT(softmax_backward);

void segment_softmax(const AttentionLayout& layout, const AttentionMask& mask, std::span<const Real> energies,
                     std::span<Real> weights) {
  mask.check(layout);
  HWY_DYNAMIC_DISPATCH(softmax)(layout, mask, energies.data(), weights.data());
}

void segment_softmax_backward(const AttentionLayout& layout, std::span<const Real> weights,
                              std::span<const Real> dweights, std::span<Real> denergies) {
  HWY_DYNAMIC_DISPATCH(softmax_backward)(layout, weights.data(), dweights.data(), denergies.data());
}

}  // namespace dhyan::kernels
#endif  // HWY_ONCE
