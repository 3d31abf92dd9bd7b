#include "kernels/elementwise/activations.h"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/elementwise/activations.cpp"
#include <hwy/foreach_target.h>

#include "kernels/elementwise/rectifier-inl.h"
#include "kernels/simd/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {
namespace {

constexpr double kSqrt2OverPi = 0.79788456080286535588;
constexpr double kCubic = 0.044715;  // [hendrycks2016] section 2

// tanh(sqrt(2/pi) (x + 0.044715 x^3)), by Highway to the last bit: backward multiplies 1 - tanh^2 by x^3
HWY_INLINE V gelu_tanh(V x) {
  const V cubic = hn::MulAdd(hn::Mul(x, x), all(kCubic), all(1));
  return hn::Tanh(D(), hn::Mul(hn::Mul(x, all(kSqrt2OverPi)), cubic));
}

// Horner's scheme, the highest power first.
template <std::size_t N>
HWY_INLINE V polynomial(V x, const double (&coefficients)[N]) {
  V sum = all(coefficients[0]);
  for (std::size_t i = 1; i < N; ++i) sum = hn::MulAdd(sum, x, all(coefficients[i]));
  return sum;
}

// erf(x) as x P(x^2) / Q(x^2), the minimax quotient of XLA and Eigen for single precision; |x| > 4 gives 1 there. In
// double precision, which is for checking gradients, the standard library's.
HWY_INLINE V erf_of(V x) {
  if constexpr (sizeof(Real) == sizeof(double)) {
    HWY_ALIGN Real lanes[hn::MaxLanes(D())];
    hn::Store(x, D(), lanes);
    for (std::size_t i = 0; i < hn::Lanes(D()); ++i) lanes[i] = std::erf(lanes[i]);
    return hn::Load(D(), lanes);
  }
  constexpr double kP[] = {-2.72614225801306e-10, 2.77068142495902e-08,  -2.10102402082508e-06, -5.69250639462346e-05,
                           -7.34990630326855e-04, -2.95459980854025e-03, -1.60960333262415e-02};
  constexpr double kQ[] = {-1.45660718464996e-05, -2.13374055278905e-04, -1.68282697438203e-03, -7.37332916720468e-03,
                           -1.42647390514189e-02};
  const V bounded = hn::IfThenElse(hn::IsNaN(x), x, hn::Clamp(x, all(-4), all(4)));
  const V square = hn::Mul(bounded, bounded);
  return hn::Div(hn::Mul(bounded, polynomial(square, kP)), polynomial(square, kQ));
}

// P(X <= x) of the standard normal distribution
HWY_INLINE V normal_cdf(V x) {
  constexpr double kRootHalf = 0.70710678118654752440;
  return hn::Mul(all(0.5), hn::Add(all(1), erf_of(hn::Mul(x, all(kRootHalf)))));
}

void tanh(Index n, const Real* x, Real* y) {
  transform(
      n, y, [](V v) { return tanh_of(v); }, x);
}

void tanh_backward(Index n, const Real* y, const Real* dy, Real* dx) {
  accumulate(
      n, dx, [](V v, V dv) { return hn::Mul(dv, hn::NegMulAdd(v, v, all(1))); }, y, dy);
}

void sigmoid(Index n, const Real* x, Real* y) {
  transform(
      n, y, [](V v) { return sigmoid_of(v); }, x);
}

void sigmoid_backward(Index n, const Real* y, const Real* dy, Real* dx) {
  accumulate(
      n, dx, [](V v, V dv) { return hn::Mul(dv, hn::NegMulAdd(v, v, v)); }, y, dy);
}

void relu(Index n, const Real* x, Real* y) {
  transform(
      n, y, [](V v) { return relu_of(v); }, x);
}

void relu_backward(Index n, const Real* y, const Real* dy, Real* dx) {
  accumulate(
      n, dx, [](V v, V dv) { return hn::IfThenElseZero(hn::Gt(v, hn::Zero(D())), dv); }, y, dy);
}

void relu_backward_in_place(Index n, const Real* y, Real* dy) {
  transform(
      n, dy, [](V v, V dv) { return hn::IfThenElseZero(hn::Gt(v, hn::Zero(D())), dv); }, y, dy);
}

void relu6(Index n, const Real* x, Real* y) {
  transform(
      n, y, [](V v) { return relu6_of(v); }, x);
}

// dv where relu6 is not constant
HWY_INLINE V relu6_slope(V y, V dv) {
  return hn::IfThenElseZero(hn::And(hn::Gt(y, hn::Zero(D())), hn::Lt(y, all(6))), dv);
}

void relu6_backward(Index n, const Real* y, const Real* dy, Real* dx) {
  accumulate(
      n, dx, [](V v, V dv) { return relu6_slope(v, dv); }, y, dy);
}

void relu6_backward_in_place(Index n, const Real* y, Real* dy) {
  transform(
      n, dy, [](V v, V dv) { return relu6_slope(v, dv); }, y, dy);
}

void gelu(Index n, const Real* x, Real* y) {
  transform(
      n, y, [](V v) { return hn::Mul(hn::Mul(v, all(0.5)), hn::Add(all(1), gelu_tanh(v))); }, x);
}

// t = tanh(u);   dy/dx = 1/2 (1 + t) + x/2 (1 - t^2) sqrt(2/pi) (1 + 3 * 0.044715 x^2)
void gelu_backward(Index n, const Real* x, const Real* dy, Real* dx) {
  const auto slope = [](V v, V dv) {
    const V t = gelu_tanh(v);
    const V du = hn::Mul(all(kSqrt2OverPi), hn::MulAdd(hn::Mul(v, v), all(3 * kCubic), all(1)));
    const V dt = hn::Mul(hn::NegMulAdd(t, t, all(1)), du);
    return hn::Mul(dv, hn::Mul(all(0.5), hn::MulAdd(v, dt, hn::Add(all(1), t))));
  };
  accumulate(n, dx, slope, x, dy);
}

void gelu_erf(Index n, const Real* x, Real* y) {
  transform(
      n, y, [](V v) { return hn::Mul(v, normal_cdf(v)); }, x);
}

// dy/dx = cdf(x) + x exp(-x^2/2) / sqrt(2 pi)
void gelu_erf_backward(Index n, const Real* x, const Real* dy, Real* dx) {
  constexpr double kRootOf2Pi = 2.50662827463100050242;
  const auto slope = [](V v, V dv) {
    const V density = hn::Mul(hn::Exp(D(), hn::Mul(hn::Mul(v, v), all(-0.5))), all(1 / kRootOf2Pi));
    return hn::Mul(dv, hn::MulAdd(v, density, normal_cdf(v)));
  };
  accumulate(n, dx, slope, x, dy);
}

void swish(Index n, const Real* x, Real* y) {
  transform(
      n, y, [](V v) { return hn::Mul(v, sigmoid_of(v)); }, x);
}

// s = sigmoid(x);   dy/dx = s + x s (1 - s)
void swish_backward(Index n, const Real* x, const Real* dy, Real* dx) {
  const auto slope = [](V v, V dv) {
    const V s = sigmoid_of(v);
    return hn::Mul(dv, hn::MulAdd(v, hn::NegMulAdd(s, s, s), s));
  };
  accumulate(n, dx, slope, x, dy);
}

}  // namespace
}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dhyan::kernels {

HWY_EXPORT(tanh);
HWY_EXPORT(tanh_backward);
HWY_EXPORT(sigmoid);
HWY_EXPORT(sigmoid_backward);
HWY_EXPORT(relu);
HWY_EXPORT(relu_backward);
HWY_EXPORT(relu_backward_in_place);
HWY_EXPORT(relu6);
HWY_EXPORT(relu6_backward);
HWY_EXPORT(relu6_backward_in_place);
HWY_EXPORT(gelu);
HWY_EXPORT(gelu_backward);
HWY_EXPORT(gelu_erf);
HWY_EXPORT(gelu_erf_backward);
HWY_EXPORT(swish);
HWY_EXPORT(swish_backward);

void tanh(std::span<const Real> x, std::span<Real> y) { HWY_DYNAMIC_DISPATCH(tanh)(std::ssize(y), x.data(), y.data()); }

void tanh_backward(std::span<const Real> y, std::span<const Real> dy, std::span<Real> dx) {
  HWY_DYNAMIC_DISPATCH(tanh_backward)(std::ssize(dx), y.data(), dy.data(), dx.data());
}

void sigmoid(std::span<const Real> x, std::span<Real> y) {
  HWY_DYNAMIC_DISPATCH(sigmoid)(std::ssize(y), x.data(), y.data());
}

void sigmoid_backward(std::span<const Real> y, std::span<const Real> dy, std::span<Real> dx) {
  HWY_DYNAMIC_DISPATCH(sigmoid_backward)(std::ssize(dx), y.data(), dy.data(), dx.data());
}

void relu(std::span<const Real> x, std::span<Real> y) { HWY_DYNAMIC_DISPATCH(relu)(std::ssize(y), x.data(), y.data()); }

void relu_backward(std::span<const Real> y, std::span<const Real> dy, std::span<Real> dx) {
  HWY_DYNAMIC_DISPATCH(relu_backward)(std::ssize(dx), y.data(), dy.data(), dx.data());
}

void relu_backward_in_place(std::span<const Real> y, std::span<Real> dy) {
  HWY_DYNAMIC_DISPATCH(relu_backward_in_place)(std::ssize(dy), y.data(), dy.data());
}

void relu6(std::span<const Real> x, std::span<Real> y) {
  HWY_DYNAMIC_DISPATCH(relu6)(std::ssize(y), x.data(), y.data());
}

void relu6_backward(std::span<const Real> y, std::span<const Real> dy, std::span<Real> dx) {
  HWY_DYNAMIC_DISPATCH(relu6_backward)(std::ssize(dx), y.data(), dy.data(), dx.data());
}

void relu6_backward_in_place(std::span<const Real> y, std::span<Real> dy) {
  HWY_DYNAMIC_DISPATCH(relu6_backward_in_place)(std::ssize(dy), y.data(), dy.data());
}

void gelu(std::span<const Real> x, std::span<Real> y) { HWY_DYNAMIC_DISPATCH(gelu)(std::ssize(y), x.data(), y.data()); }

void gelu_backward(std::span<const Real> x, std::span<const Real> dy, std::span<Real> dx) {
  HWY_DYNAMIC_DISPATCH(gelu_backward)(std::ssize(dx), x.data(), dy.data(), dx.data());
}

void gelu_erf(std::span<const Real> x, std::span<Real> y) {
  HWY_DYNAMIC_DISPATCH(gelu_erf)(std::ssize(y), x.data(), y.data());
}

void gelu_erf_backward(std::span<const Real> x, std::span<const Real> dy, std::span<Real> dx) {
  HWY_DYNAMIC_DISPATCH(gelu_erf_backward)(std::ssize(dx), x.data(), dy.data(), dx.data());
}

void swish(std::span<const Real> x, std::span<Real> y) {
  HWY_DYNAMIC_DISPATCH(swish)(std::ssize(y), x.data(), y.data());
}

void swish_backward(std::span<const Real> x, std::span<const Real> dy, std::span<Real> dx) {
  HWY_DYNAMIC_DISPATCH(swish_backward)(std::ssize(dx), x.data(), dy.data(), dx.data());
}

}  // namespace dhyan::kernels
#endif  // HWY_ONCE
