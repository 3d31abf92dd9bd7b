// Vector math shared by kernels. Compiled once per instruction set; see simd-inl.h. NaN stays NaN, unlike in Highway's
// exp, which gives 0 and would hide a diverging run.
#if defined(DHYAN_KERNELS_MATH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DHYAN_KERNELS_MATH_INL_H
#undef DHYAN_KERNELS_MATH_INL_H
#else
#define DHYAN_KERNELS_MATH_INL_H
#endif

#include "kernels/simd/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {

HWY_INLINE V or_nan(V result, V argument) { return hn::IfThenElse(hn::IsNaN(argument), argument, result); }

// For arguments up to 88 (float) or 709 (double): beyond, it wraps around. For double, Highway; for float by
// x = n ln 2 + r, where |r| <= ln 2 / 2, and exp(r) = 1 + r + r² P(r) with the minimax P of degree 4 (3.1e-9), in half
// of Highway's instructions. Results for x below -87 are 0.
HWY_INLINE V exp_of(V x) {
  if constexpr (sizeof(Real) == 8) {
    return or_nan(hn::Exp(D(), x), x);
  } else {
    const V magic = all(12582912 + 127);  // 1.5 * 2^23, so that a sum is whole and its last bits are n + 127
    const V shifted = hn::MulAdd(x, all(1.44269504088896341), magic);
    const V n = hn::Sub(shifted, magic);
    V r = hn::NegMulAdd(n, all(0.693359375), x);  // few bits, so that the product with n is exact
    r = hn::NegMulAdd(n, all(-2.12194440e-4), r);
    V p = hn::MulAdd(all(0.001381454018), r, all(0.008368745303));
    p = hn::MulAdd(p, r, all(0.0416683908));
    p = hn::MulAdd(p, r, all(0.166665204));
    p = hn::MulAdd(p, r, all(0.4999999343));
    p = hn::MulAdd(p, r, all(1));
    p = hn::MulAdd(p, r, all(1));
    const V power = hn::BitCast(D(), hn::ShiftLeft<23>(hn::BitCast(hn::RebindToUnsigned<D>(), shifted)));  // 2^n
    return hn::IfThenZeroElse(hn::Lt(x, all(-87)), hn::Mul(p, power));
  }
}

// exp(x) for sums of many terms, x <= 0. The relative error is 8.2e-8 plus |x| times a rounding, smallest for large
// terms. AVX-512 has instructions for 2^z = 2^floor z P(z - floor z), with the minimax P of degree 5 that is 1 at 0.
HWY_INLINE V exp_for_sum(V x) {
#if HWY_TARGET == HWY_AVX3 && !defined(DHYAN_REAL_DOUBLE)
  constexpr int kFloor = 9;  // round down, without exceptions
  const V z = hn::Mul(x, all(1.44269504088896341));
  const V f{_mm512_reduce_ps(z.raw, kFloor)};  // 0 for -inf
  V p = hn::MulAdd(all(0.001867130072), f, all(0.009017030316));
  p = hn::MulAdd(p, f, all(0.05579991311));
  p = hn::MulAdd(p, f, all(0.2401644502));
  p = hn::MulAdd(p, f, all(0.6931513118));
  p = hn::MulAdd(p, f, all(1));
  return V{_mm512_scalef_ps(p.raw, z.raw)};
#else
  return exp_of(x);
#endif
}

// 1 / (1 + exp(-x)), by exp(-|x|), which cannot overflow: for x < 0 it is exp(x) / (1 + exp(x)).
HWY_INLINE V sigmoid_of(V x) {
  const V small = exp_of(hn::Neg(hn::Abs(x)));
  const V numerator = hn::IfThenElse(hn::Lt(x, hn::Zero(D())), small, all(1));
  return hn::Div(numerator, hn::Add(small, all(1)));
}

// For float x P(x²) / Q(x²), minimax in relative error on [-9,9] (Remez, 2.1e-8); beyond, tanh rounds to 1. Twice as
// fast as Highway's, which is used for double.
HWY_INLINE V tanh_of(V x) {
  if constexpr (sizeof(Real) == 8) {
    return hn::Tanh(D(), x);
  } else {
    const V c = hn::Clamp(x, all(-9), all(9));
    const V u = hn::Mul(c, c);
    V p = hn::MulAdd(all(1.3354685513e-8), u, all(2.0609099598e-5));
    p = hn::MulAdd(p, u, all(0.0034955891514));
    p = hn::MulAdd(p, u, all(0.13381026483));
    p = hn::MulAdd(p, u, all(0.99999997945));
    V q = hn::MulAdd(all(7.7765681541e-7), u, all(0.00032856365169));
    q = hn::MulAdd(q, u, all(0.025876986044));
    q = hn::MulAdd(q, u, all(0.46714342074));
    q = hn::MulAdd(q, u, all(1));
    const V y = hn::Div(hn::Mul(c, p), q);  // may round to slightly more than 1
    return or_nan(hn::Clamp(y, all(-1), all(1)), x);
  }
}

// Arguments of each_vector's function.
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

// Calls f(i, part) for every vector of [0,n); `part` loads, stores and adds its lanes. For kernels that write several
// arrays in one pass.
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
