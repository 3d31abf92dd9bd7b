#include "kernels/activations.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/activations.cpp"
#include <hwy/foreach_target.h>

#include "kernels/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {
namespace {

void tanh(Index n, const Real* x, Real* y) {
  transform(
      n, y, [](V v) { return hn::Tanh(D(), v); }, x);
}

void tanh_backward(Index n, const Real* y, const Real* dy, Real* dx) {
  accumulate(
      n, dx, [](V v, V dv) { return hn::Mul(dv, hn::NegMulAdd(v, v, all(1))); }, y, dy);
}

}  // namespace
}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dhyan::kernels {

HWY_EXPORT(tanh);
HWY_EXPORT(tanh_backward);

void tanh(std::span<const Real> x, std::span<Real> y) { HWY_DYNAMIC_DISPATCH(tanh)(std::ssize(x), x.data(), y.data()); }

void tanh_backward(std::span<const Real> y, std::span<const Real> dy, std::span<Real> dx) {
  HWY_DYNAMIC_DISPATCH(tanh_backward)(std::ssize(y), y.data(), dy.data(), dx.data());
}

}  // namespace dhyan::kernels
#endif  // HWY_ONCE
