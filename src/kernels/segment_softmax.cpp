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

void softmax(const Pairing& pairing, const Visible& visible, const Real* energies, Real* weights) {
  for_each_sentence(pairing, [&](const PairingSentence& of) {
    const Real* e = energies + of.offset;
    Real* p = weights + of.offset;
    for (Index head = 0; head < pairing.heads; ++head) {
      for (Index t = 0; t < of.T; ++t, e += of.S, p += of.S) {
        softmax_of_seen(visible.range(of.query_begin + t, of.S), of.S, e, p);
      }
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
