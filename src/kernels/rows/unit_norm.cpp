#include "kernels/rows/unit_norm.h"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rows/unit_norm.cpp"
#include <hwy/foreach_target.h>

#include "kernels/simd/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {
namespace {

HWY_INLINE Real dot(Index n, const Real* a, const Real* b) {
  return sum_of(
      n, [](V u, V v) { return hn::Mul(u, v); }, a, b);
}

void unit_norm_forward(ConstMatrix x, const UnitNormWeights& weights, Matrix y, Real* inverse) {
  const Index N = std::ssize(weights.strength);
  for (Index r = 0; r < x.rows; ++r) {
    inverse[r] = 1 / std::sqrt(dot(x.cols, x.row(r), x.row(r)) + weights.epsilon);
    const V factor = all(inverse[r] * weights.strength.data()[r % N]);
    transform(
        x.cols, y.row(r), [&](V v) { return hn::Mul(v, factor); }, x.row(r));
  }
}

void unit_norm_backward(ConstMatrix x, std::span<const Real> strength, const Real* inverse, ConstMatrix dy,
                        const UnitNormGradients& into) {
  const Index N = std::ssize(strength);
  for (Index r = 0; r < x.rows; ++r) {
    const Real along = inverse[r] * dot(x.cols, x.row(r), dy.row(r));  // u·dy
    if (into.strength.data != nullptr) into.strength.data[r % N] += along;
    if (into.x.data == nullptr) continue;
    const V factor = all(inverse[r] * strength.data()[r % N]), back = all(inverse[r] * along);
    accumulate(
        x.cols, into.x.row(r), [&](V v, V d) { return hn::Mul(factor, hn::NegMulAdd(back, v, d)); }, x.row(r),
        dy.row(r));
  }
}

}  // namespace
}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dhyan::kernels {

HWY_EXPORT(unit_norm_forward);
HWY_EXPORT(unit_norm_backward);

void unit_norm_rows(ConstMatrix x, const UnitNormWeights& weights, Matrix y, std::span<Real> inverse) {
  HWY_DYNAMIC_DISPATCH(unit_norm_forward)(x, weights, y, inverse.data());
}

void unit_norm_rows_backward(ConstMatrix x, std::span<const Real> strength, std::span<const Real> inverse,
                             ConstMatrix dy, const UnitNormGradients& into) {
  HWY_DYNAMIC_DISPATCH(unit_norm_backward)(x, strength, inverse.data(), dy, into);
}

}  // namespace dhyan::kernels
#endif  // HWY_ONCE
