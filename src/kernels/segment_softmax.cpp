#include "kernels/segment_softmax.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/segment_softmax.cpp"
#include <hwy/foreach_target.h>

#include "kernels/softmax-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {
namespace {

HWY_INLINE void softmax_of_seen(const KeyRange& seen, Index S, const Real* e, Real* p) {
  if (seen.begin > 0) std::fill_n(p, seen.begin, Real{0});
  softmax_row(seen.end - seen.begin, e + seen.begin, p + seen.begin);
  if (seen.end < S) std::fill(p + seen.end, p + S, Real{0});
}

bool all_seen(const Visible& visible, const PairingSentence& of) {
  for (Index t = 0; t < of.T; ++t) {
    const KeyRange seen = visible.range(of.query_begin + t, of.S);
    if (seen.begin > 0 || seen.end < of.S) return false;
  }
  return true;
}

void softmax(const Pairing& pairing, const Visible& visible, const Real* energies, Real* weights) {
  for_each_sentence(pairing, [&](const PairingSentence& of) HWY_ATTR {
    const Real* e = energies + of.offset;
    Real* p = weights + of.offset;
    const Index rows = pairing.heads * of.T;
    for (Index row = all_seen(visible, of) ? softmax_by_fours(rows, of.S, e, p) : 0; row < rows; ++row) {
      softmax_of_seen(visible.range(of.query_begin + row % of.T, of.S), of.S, e + row * of.S, p + row * of.S);
    }
  });
}

void softmax_backward(const Pairing& pairing, const Real* weights, const Real* dweights, Real* denergies) {
  for_each_block(pairing, [&](const PairingBlock& block) {
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

void segment_softmax(const Pairing& pairing, const Visible& visible, std::span<const Real> energies,
                     std::span<Real> weights) {
  visible.check(pairing);
  HWY_DYNAMIC_DISPATCH(softmax)(pairing, visible, energies.data(), weights.data());
}

void segment_softmax_backward(const Pairing& pairing, std::span<const Real> weights, std::span<const Real> dweights,
                              std::span<Real> denergies) {
  HWY_DYNAMIC_DISPATCH(softmax_backward)(pairing, weights.data(), dweights.data(), denergies.data());
}

}  // namespace dhyan::kernels
#endif  // HWY_ONCE
