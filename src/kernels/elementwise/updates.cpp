#include "kernels/elementwise/updates.h"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/elementwise/updates.cpp"
#include <hwy/foreach_target.h>

#include "kernels/simd/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {
namespace {

// A position in several arrays: a whole vector, or the tail.
struct Whole {
  Index i;
  V get(const Real* from) const { return load(from + i); }
  void set(Real* to, V v) const { store(v, to + i); }
};
struct Tail {
  Index i, n;
  V get(const Real* from) const { return load_some(from + i, n); }
  void set(Real* to, V v) const { store_some(v, to + i, n); }
};

template <class F>
HWY_INLINE void at_every_vector(Index n, const F& f) {
  Index i = 0;
  for (; i + lanes() <= n; i += lanes()) f(Whole{i});
  if (i < n) f(Tail{i, n - i});
}

void sgd(Index n, Real* w, const Real* g, const SgdStep& step) {
  const V decay = all(step.weight_decay), rate = all(step.rate);
  at_every_vector(n, [=](auto at) {
    const V old = at.get(w);
    at.set(w, hn::NegMulAdd(rate, hn::MulAdd(decay, old, at.get(g)), old));
  });
}

void sgd_with_momentum(Index n, Real* w, const Real* g, Real* b, const SgdStep& step) {
  const V decay = all(step.weight_decay), rate = all(step.rate), momentum = all(step.momentum);
  at_every_vector(n, [=](auto at) {
    const V old = at.get(w);
    const V velocity = hn::MulAdd(momentum, at.get(b), hn::MulAdd(decay, old, at.get(g)));
    at.set(b, velocity);
    at.set(w, hn::NegMulAdd(rate, velocity, old));
  });
}

void adadelta(Index n, Real* w, const Real* g, Real* s, Real* a, const AdadeltaStep& step) {
  const V decay = all(step.weight_decay), rate = all(step.rate), epsilon = all(step.epsilon);
  const V keep = all(step.rho), take = all(1 - step.rho);
  at_every_vector(n, [=](auto at) {
    const V old = at.get(w), gradient = hn::MulAdd(decay, old, at.get(g)), before = at.get(a);
    const V squares = hn::MulAdd(keep, at.get(s), hn::Mul(take, hn::Mul(gradient, gradient)));
    const V ratio = hn::Div(hn::Sqrt(hn::Add(before, epsilon)), hn::Sqrt(hn::Add(squares, epsilon)));
    const V move = hn::Mul(ratio, gradient);
    at.set(s, squares);
    at.set(a, hn::MulAdd(keep, before, hn::Mul(take, hn::Mul(move, move))));
    at.set(w, hn::NegMulAdd(rate, move, old));
  });
}

void adam(Index n, Real* w, const Real* g, Real* m, Real* v, const AdamStep& step) {
  const V decay = all(step.weight_decay), shrink = all(step.shrink), epsilon = all(step.epsilon);
  const V keep1 = all(step.beta1), take1 = all(1 - step.beta1), keep2 = all(step.beta2), take2 = all(1 - step.beta2);
  const V rate = all(step.rate / step.correction1), scale = all(1 / std::sqrt(step.correction2));
  at_every_vector(n, [=](auto at) {
    const V old = at.get(w), gradient = hn::MulAdd(decay, old, at.get(g));
    const V mean = hn::MulAdd(keep1, at.get(m), hn::Mul(take1, gradient));
    const V squares = hn::MulAdd(keep2, at.get(v), hn::Mul(take2, hn::Mul(gradient, gradient)));
    const V move = hn::Div(mean, hn::MulAdd(hn::Sqrt(squares), scale, epsilon));
    at.set(m, mean);
    at.set(v, squares);
    at.set(w, hn::NegMulAdd(rate, move, hn::Mul(shrink, old)));
  });
}

void ema_update(Index n, Real* a, const Real* w, double rate) {
  const V rates = all(rate);
  at_every_vector(n, [=](auto at) {
    const V old = at.get(a);
    at.set(a, hn::MulAdd(rates, hn::Sub(at.get(w), old), old));
  });
}

}  // namespace
}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dhyan::kernels {

HWY_EXPORT(sgd);
HWY_EXPORT(sgd_with_momentum);
HWY_EXPORT(adadelta);
HWY_EXPORT(adam);
HWY_EXPORT(ema_update);

void sgd(std::span<Real> w, std::span<const Real> g, const SgdStep& step) {
  HWY_DYNAMIC_DISPATCH(sgd)(std::ssize(w), w.data(), g.data(), step);
}

void sgd_with_momentum(std::span<Real> w, std::span<const Real> g, std::span<Real> b, const SgdStep& step) {
  HWY_DYNAMIC_DISPATCH(sgd_with_momentum)(std::ssize(w), w.data(), g.data(), b.data(), step);
}

void adadelta(std::span<Real> w, std::span<const Real> g, std::span<Real> s, std::span<Real> a,
              const AdadeltaStep& step) {
  HWY_DYNAMIC_DISPATCH(adadelta)(std::ssize(w), w.data(), g.data(), s.data(), a.data(), step);
}

void adam(std::span<Real> w, std::span<const Real> g, std::span<Real> m, std::span<Real> v, const AdamStep& step) {
  HWY_DYNAMIC_DISPATCH(adam)(std::ssize(w), w.data(), g.data(), m.data(), v.data(), step);
}

void ema_update(std::span<Real> a, std::span<const Real> w, double rate) {
  HWY_DYNAMIC_DISPATCH(ema_update)(std::ssize(a), a.data(), w.data(), rate);
}

}  // namespace dhyan::kernels
#endif  // HWY_ONCE
