// The basis of all vector kernels. Compiled once per instruction set, like the files that include it; see "Kernels" in
// CONTRIBUTING.md. Tails shorter than a vector are loaded with zeros in the other lanes and stored with a mask, so that
// a kernel is one lambda on whole vectors.
#if defined(DHYAN_KERNELS_SIMD_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DHYAN_KERNELS_SIMD_INL_H
#undef DHYAN_KERNELS_SIMD_INL_H
#else
#define DHYAN_KERNELS_SIMD_INL_H
#endif

#include <cstring>
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include "core/real.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<Real>;  // as many Reals as the machine's registers hold
using V = hn::Vec<D>;

HWY_INLINE Index lanes() { return static_cast<Index>(hn::Lanes(D())); }
HWY_INLINE V load(const Real* from) { return hn::LoadU(D(), from); }
HWY_INLINE void store(V v, Real* to) { hn::StoreU(v, D(), to); }
HWY_INLINE V all(double x) { return hn::Set(D(), static_cast<Real>(x)); }

// The first n lanes, n < lanes(); the others are `filler`.
HWY_INLINE V load_some(const Real* from, Index n, Real filler = 0) {
#if HWY_TARGET <= HWY_AVX2  // masked loads do not touch other memory
  const auto mask = hn::FirstN(D(), static_cast<std::size_t>(n));
  return hn::IfThenElse(mask, hn::MaskedLoad(mask, D(), from), hn::Set(D(), filler));
#else
  HWY_ALIGN Real buffer[HWY_MAX_BYTES / sizeof(Real)];
  for (Index i = 0; i < lanes(); ++i) buffer[i] = i < n ? from[i] : filler;
  return hn::Load(D(), buffer);
#endif
}

HWY_INLINE void store_some(V v, Real* to, Index n) {
#if HWY_TARGET <= HWY_AVX2
  hn::BlendedStore(v, hn::FirstN(D(), static_cast<std::size_t>(n)), D(), to);
#else
  HWY_ALIGN Real buffer[HWY_MAX_BYTES / sizeof(Real)];
  hn::Store(v, D(), buffer);
  for (Index i = 0; i < n; ++i) to[i] = buffer[i];
#endif
}

// The first n values of a pair of vectors, n > 0; loading keeps the second vector if n <= lanes().
HWY_INLINE void load_pair(const Real* from, Index n, V& first, V& second) {
  if (n < lanes()) {
    first = load_some(from, n);
    return;
  }
  first = load(from);
  if (n >= 2 * lanes()) {
    second = load(from + lanes());
  } else if (n > lanes()) {
    second = load_some(from + lanes(), n - lanes());
  }
}

HWY_INLINE void store_pair(V first, V second, Real* to, Index n) {
  if (n >= 2 * lanes()) {
    store(first, to);
    store(second, to + lanes());
  } else if (n > lanes()) {
    store(first, to);
    store_some(second, to + lanes(), n - lanes());
  } else if (n == lanes()) {
    store(first, to);
  } else {
    store_some(first, to, n);
  }
}

#if HWY_TARGET != HWY_SCALAR
// Combines the upper and lower half of a vector until four lanes are left, in the order of SumOfLanes.
template <class Vector, class Combine>
HWY_INLINE auto folded_to_four(Vector v, const Combine& combine) {
  const hn::DFromV<Vector> d;
  if constexpr (hn::MaxLanes(d) > 4) {
    const hn::Half<decltype(d)> half;
    return folded_to_four(combine(hn::LowerHalf(half, v), hn::UpperHalf(half, v)), combine);
  } else {
    return v;
  }
}
#endif

// to[i] = f(from[i]...) for i in [0,n): f takes and gives vectors.
template <class F, class... From>
HWY_INLINE void transform(Index n, Real* to, const F& f, const From*... from) {
  Index i = 0;
  for (; i + lanes() <= n; i += lanes()) store(f(load(from + i)...), to + i);
  if (i < n) store_some(f(load_some(from + i, n - i)...), to + i, n - i);
}

// to[i] += f(from[i]...)
template <class F, class... From>
HWY_INLINE void accumulate(Index n, Real* to, const F& f, const From*... from) {
  Index i = 0;
  for (; i + lanes() <= n; i += lanes()) store(hn::Add(load(to + i), f(load(from + i)...)), to + i);
  if (i < n) {
    store_some(hn::Add(load_some(to + i, n - i), f(load_some(from + i, n - i)...)), to + i, n - i);
  }
}

// Sum of f(from[i]...). Two running sums hide the latency of addition. f of zeros must be zero.
template <class F, class... From>
HWY_INLINE Real sum_of(Index n, const F& f, const From*... from) {
  V sum0 = hn::Zero(D()), sum1 = hn::Zero(D());
  Index i = 0;
  for (; i + 2 * lanes() <= n; i += 2 * lanes()) {
    sum0 = hn::Add(sum0, f(load(from + i)...));
    sum1 = hn::Add(sum1, f(load(from + i + lanes())...));
  }
  if (i + lanes() <= n) {
    sum0 = hn::Add(sum0, f(load(from + i)...));
    i += lanes();
  }
  if (i < n) sum1 = hn::Add(sum1, f(load_some(from + i, n - i)...));
  return hn::GetLane(hn::SumOfLanes(D(), hn::Add(sum0, sum1)));
}

// Largest of from[0..n); n > 0.
HWY_INLINE Real max_of(Index n, const Real* from) {
  V largest = all(from[0]);
  Index i = 0;
  for (; i + lanes() <= n; i += lanes()) largest = hn::Max(largest, load(from + i));
  if (i < n) largest = hn::Max(largest, load_some(from + i, n - i, from[0]));
  return hn::GetLane(hn::MaxOfLanes(D(), largest));
}

// Largest |from[i]|; 0 if n is 0.
HWY_INLINE Real max_abs_of(Index n, const Real* from) {
  V largest = hn::Zero(D());
  Index i = 0;
  for (; i + lanes() <= n; i += lanes()) largest = hn::Max(largest, hn::Abs(load(from + i)));
  if (i < n) largest = hn::Max(largest, hn::Abs(load_some(from + i, n - i)));
  return hn::GetLane(hn::MaxOfLanes(D(), largest));
}

}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
