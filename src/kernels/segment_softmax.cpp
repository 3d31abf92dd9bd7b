#include "kernels/segment_softmax.h"

#include <algorithm>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/segment_softmax.cpp"
#include <hwy/foreach_target.h>

#include "kernels/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {
namespace {

void softmax_row(Index n, const Real* e, Real* p) {
  if (n == 0) return;
  const Real largest = max_of(n, e);
  if (largest == -std::numeric_limits<Real>::infinity()) {
    std::fill_n(p, n, Real{0});
    return;
  }
  const V shift = all(largest);
  transform(
      n, p, [shift](V v) { return hn::Exp(D(), hn::Sub(v, shift)); }, e);
  const V norm = all(Real{1} / sum_of(
                                   n, [](V v) { return v; }, p));
  transform(
      n, p, [norm](V v) { return hn::Mul(v, norm); }, p);
}

void softmax(const Pairing& pairing, const Visible& visible, const Real* energies, Real* weights) {
  for_each_block(pairing, [&](const PairingBlock& block) {
    for (Index t = 0; t < block.T; ++t) {
      const Real* e = energies + block.offset + t * block.S;
      Real* p = weights + block.offset + t * block.S;
      const KeyRange seen = visible.range(block, t);
      std::fill_n(p, seen.begin, Real{0});
      softmax_row(seen.end - seen.begin, e + seen.begin, p + seen.begin);
      std::fill(p + seen.end, p + block.S, Real{0});
    }
  });
}

void softmax_backward(const Pairing& pairing, const Real* weights, const Real* dweights, Real* denergies) {
  for_each_block(pairing, [&](const PairingBlock& block) {
    for (Index t = 0; t < block.T; ++t) {
      const Index row = block.offset + t * block.S;
      const Real *p = weights + row, *dp = dweights + row;
      const V inner = all(sum_of(
          block.S, [](V v, V dv) { return hn::Mul(v, dv); }, p, dp));
      accumulate(
          block.S, denergies + row, [inner](V v, V dv) { return hn::Mul(v, hn::Sub(dv, inner)); }, p, dp);
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
