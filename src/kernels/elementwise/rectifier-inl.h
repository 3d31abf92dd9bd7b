// Rectifiers on vectors. Compiled once per instruction set; see simd-inl.h.
#if defined(DHYAN_KERNELS_RECTIFIER_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DHYAN_KERNELS_RECTIFIER_INL_H
#undef DHYAN_KERNELS_RECTIFIER_INL_H
#else
#define DHYAN_KERNELS_RECTIFIER_INL_H
#endif

#include "kernels/elementwise/rectifier.h"
#include "kernels/simd/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {

// Comparisons with NaN are false, so NaN stays.
HWY_INLINE V relu_of(V x) { return hn::IfThenZeroElse(hn::Lt(x, hn::Zero(D())), x); }
HWY_INLINE V relu6_of(V x) { return hn::IfThenElse(hn::Gt(x, all(6)), all(6), relu_of(x)); }

HWY_INLINE V rectified(Rectifier rectifier, V x) {
  if (rectifier == Rectifier::kNone) return x;
  return rectifier == Rectifier::kRelu ? relu_of(x) : relu6_of(x);
}

}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
