// Softmax of one row, for all kernels that need one: rows, ragged segments, losses. Compiled once per instruction set;
// see simd-inl.h.
#if defined(DHYAN_KERNELS_SOFTMAX_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DHYAN_KERNELS_SOFTMAX_INL_H
#undef DHYAN_KERNELS_SOFTMAX_INL_H
#else
#define DHYAN_KERNELS_SOFTMAX_INL_H
#endif

#include <cmath>
#include <limits>

#include "kernels/simd/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {

constexpr Real kMinusInfinity = -std::numeric_limits<Real>::infinity();

// Subtracted before exp, so that the largest term is exp(0); 0 if the largest is -inf, since -inf - -inf is NaN.
HWY_INLINE Real finite_shift(Real largest) { return largest == kMinusInfinity ? 0 : largest; }
HWY_INLINE V finite_shifts(V largest) {
  return hn::IfThenZeroElse(hn::Eq(largest, all(-std::numeric_limits<double>::infinity())), largest);
}
HWY_INLINE Real softmax_shift(Index n, const Real* x) { return finite_shift(max_of(n, x)); }  // n > 0

// y_j = exp(x_j - shift); returns their sum. y may be x.
HWY_INLINE Real exponentials(Index n, const Real* x, Real shift, Real* y) {
  V sums = hn::Zero(D());
  each_vector(n, [&](Index j, auto part) {
    const V e = exp_of(hn::Sub(part.load(x + j, kMinusInfinity), all(shift)));
    part.store(e, y + j);
    sums = hn::Add(sums, e);
  });
  return sum_of_lanes(sums);
}

// The same sum without storing the terms.
HWY_INLINE Real sum_of_exponentials(Index n, const Real* x, Real shift) {
  V sums = hn::Zero(D());
  each_vector(n, [&](Index j, auto part) {
    sums = hn::Add(sums, exp_of(hn::Sub(part.load(x + j, kMinusInfinity), all(shift))));
  });
  return sum_of_lanes(sums);
}

// Accumulates log Σ_j exp(x_j), given the largest x; -inf if every x is -inf.
class LogSum {
 public:
  HWY_INLINE explicit LogSum(Real largest) : shift_(finite_shift(largest)) {}
  HWY_INLINE void add(V x) { sums_ = hn::Add(sums_, exp_for_sum(hn::Sub(x, all(shift_)))); }
  HWY_INLINE double log() const { return shift_ + std::log(double{sum_of_lanes(sums_)}); }

 private:
  Real shift_;
  V sums_ = hn::Zero(D());
};

HWY_INLINE double log_sum_of_exponentials(Index n, const Real* x) {  // n > 0
  LogSum sum(max_of(n, x));
  each_vector(n, [&](Index j, auto part) { sum.add(part.load(x + j, kMinusInfinity)); });
  return sum.log();
}

// 1 / sum; 0 if the sum is 0, so that a fully masked row gives zeros.
HWY_INLINE V softmax_factor(Real sum) { return all(sum == 0 ? Real{0} : 1 / sum); }

// At most one vector, which stays in a register.
HWY_INLINE void softmax_short_row(Index n, const Real* e, Real* p) {
  const V x = load_some(e, n, kMinusInfinity);
  const V y = exp_of(hn::Sub(x, finite_shifts(hn::MaxOfLanes(D(), x))));
  store_some(hn::Mul(y, softmax_factor(sum_of_lanes(y))), p, n);
}

// More than one vector and at most two.
HWY_INLINE void softmax_row_of_two(Index n, const Real* e, Real* p) {
  const V x0 = load(e), x1 = load_some(e + lanes(), n - lanes(), kMinusInfinity);
  const V shift = finite_shifts(hn::MaxOfLanes(D(), hn::Max(x0, x1)));
  const V y0 = exp_of(hn::Sub(x0, shift)), y1 = exp_of(hn::Sub(x1, shift));
  const V factor = softmax_factor(sum_of_lanes(hn::Add(y0, y1)));
  store(hn::Mul(y0, factor), p);
  store_some(hn::Mul(y1, factor), p + lanes(), n - lanes());
}

#if HWY_TARGET <= HWY_SSE4 && HWY_ARCH_X86 && !defined(DHYAN_REAL_DOUBLE)

using DFour = hn::FixedTag<Real, 4>;
using VFour = hn::Vec<DFour>;

// Reduces the lanes of each of four vectors, in the order of SumOfLanes.
template <class Combine>
HWY_INLINE VFour folded(const V (&v)[4], const Combine& combine) {
  VFour fours[4];
  for (int i = 0; i < 4; ++i) fours[i] = folded_to_four(v[i], combine);
  VFour pairs[2];
  for (int i = 0; i < 2; ++i) {
    pairs[i] = combine(hn::ConcatLowerLower(DFour(), fours[2 * i + 1], fours[2 * i]),
                       hn::ConcatUpperUpper(DFour(), fours[2 * i + 1], fours[2 * i]));
  }
  return combine(hn::ConcatEven(DFour(), pairs[1], pairs[0]), hn::ConcatOdd(DFour(), pairs[1], pairs[0]));
}

// softmax_row() of four contiguous rows, to the same bytes; the latencies of their reductions and divisions overlap. A
// row has more than kVectors - 1 vectors and at most kVectors.
template <int kVectors>
HWY_INLINE void softmax_of_four(Index n, const Real* e, Real* p) {
  constexpr int kLast = kVectors - 1;
  const Index rest = n - kLast * lanes();
  V rows[4][kVectors], reduced[4];
  HWY_ALIGN Real values[4];
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < kLast; ++j) rows[i][j] = load(e + i * n + j * lanes());
    reduced[i] = rows[i][kLast] = load_some(e + i * n + kLast * lanes(), rest, kMinusInfinity);
    for (int j = 0; j < kLast; ++j) reduced[i] = hn::Max(rows[i][j], reduced[i]);
  }
  const VFour largest = folded(reduced, [](auto a, auto b) HWY_ATTR { return hn::Max(a, b); });
  const VFour infinite = hn::Set(DFour(), kMinusInfinity);
  hn::Store(hn::IfThenZeroElse(hn::Eq(largest, infinite), largest), DFour(), values);
  for (int i = 0; i < 4; ++i) {
    for (V& x : rows[i]) x = exp_of(hn::Sub(x, all(values[i])));
    reduced[i] = rows[i][0];
    for (int j = 1; j < kVectors; ++j) reduced[i] = hn::Add(reduced[i], rows[i][j]);
  }
  const VFour sums = folded(reduced, [](auto a, auto b) HWY_ATTR { return hn::Add(a, b); });
  const VFour quotients = hn::Div(hn::Set(DFour(), 1), sums);
  hn::Store(hn::IfThenZeroElse(hn::Eq(sums, hn::Zero(DFour())), quotients), DFour(), values);
  for (int i = 0; i < 4; ++i) {
    for (V& x : rows[i]) x = hn::Mul(x, all(values[i]));
    for (int j = 0; j < kLast; ++j) store(rows[i][j], p + i * n + j * lanes());
    store_some(rows[i][kLast], p + i * n + kLast * lanes(), rest);
  }
}

// Computes contiguous rows four at a time, from the first on, and returns how many it computed. p may be e.
HWY_INLINE Index softmax_by_fours(Index rows, Index n, const Real* e, Real* p) {
  if (n == 0 || n > 2 * lanes()) return 0;
  Index done = 0;
  for (; done + 4 <= rows; done += 4, e += 4 * n, p += 4 * n) {
    n <= lanes() ? softmax_of_four<1>(n, e, p) : softmax_of_four<2>(n, e, p);
  }
  return done;
}

#else

HWY_INLINE Index softmax_by_fours(Index, Index, const Real*, Real*) { return 0; }

#endif

// p_j = exp(e_j) / Σ_k exp(e_k); zeros if every e is -inf. p may be e.
HWY_INLINE void softmax_row(Index n, const Real* e, Real* p) {
  if (n <= lanes()) return softmax_short_row(n, e, p);
  if (n <= 2 * lanes()) return softmax_row_of_two(n, e, p);
  const V factor = softmax_factor(exponentials(n, e, softmax_shift(n, e), p));
  transform(
      n, p, [factor](V v) { return hn::Mul(v, factor); }, p);
}

// de_j += p_j (dp_j - Σ_k p_k dp_k)
HWY_INLINE void softmax_row_backward(Index n, const Real* p, const Real* dp, Real* de) {
  const V mean = all(sum_of(
      n, [](V v, V dv) { return hn::Mul(v, dv); }, p, dp));
  accumulate(
      n, de, [mean](V v, V dv) { return hn::Mul(v, hn::Sub(dv, mean)); }, p, dp);
}

}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
