// Vector functions that several kernels share. Compiled once per instruction set; see simd-inl.h. Highway's exp and
// tanh map NaN to a number, which would hide a diverging run; here NaN stays NaN.
#if defined(DHYAN_KERNELS_MATH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DHYAN_KERNELS_MATH_INL_H
#undef DHYAN_KERNELS_MATH_INL_H
#else
#define DHYAN_KERNELS_MATH_INL_H
#endif

#include "kernels/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {

HWY_INLINE V or_nan(V result, V argument) { return hn::IfThenElse(hn::IsNaN(argument), argument, result); }

// For arguments up to 88 (float) or 709 (double): beyond, Highway wraps around.
HWY_INLINE V exp_of(V x) { return or_nan(hn::Exp(D(), x), x); }

HWY_INLINE V tanh_of(V x) { return or_nan(hn::Tanh(D(), x), x); }

// 1 / (1 + exp(-x)), by exp(-|x|), which cannot overflow: for x < 0 it is exp(x) / (1 + exp(x)).
HWY_INLINE V sigmoid_of(V x) {
  const V small = hn::Exp(D(), hn::Neg(hn::Abs(x)));
  const V numerator = hn::IfThenElse(hn::Lt(x, hn::Zero(D())), small, all(1));
  return or_nan(hn::Div(numerator, hn::Add(small, all(1))), x);
}

// What each_vector hands to its function.
struct WholeVector {
  HWY_INLINE V load(const Real* from, Real = 0) const { return kernels::HWY_NAMESPACE::load(from); }
  HWY_INLINE void store(V v, Real* to) const { kernels::HWY_NAMESPACE::store(v, to); }
  HWY_INLINE void add(V v, Real* to) const { store(hn::Add(load(to), v), to); }
};

struct FirstLanes {
  Index n;
  HWY_INLINE V load(const Real* from, Real filler = 0) const { return load_some(from, n, filler); }
  HWY_INLINE void store(V v, Real* to) const { store_some(v, to, n); }
  HWY_INLINE void add(V v, Real* to) const { store(hn::Add(load(to), v), to); }
};

// f(i, part) for every vector of [0,n), where `part` loads, stores and adds what exists of it: for kernels that write
// to several places in one pass.
template <class F>
HWY_INLINE void each_vector(Index n, const F& f) {
  Index i = 0;
  for (; i + lanes() <= n; i += lanes()) f(i, WholeVector{});
  if (i < n) f(i, FirstLanes{n - i});
}

HWY_INLINE Real sum_of_lanes(V v) { return hn::GetLane(hn::SumOfLanes(D(), v)); }

}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
