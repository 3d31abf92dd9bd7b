#include "kernels/top_k.h"

#include <algorithm>
#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/top_k.cpp"
#include <hwy/foreach_target.h>

#include "kernels/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {
namespace {

constexpr Real kNothing = -std::numeric_limits<Real>::infinity();

// Puts a number among `count` sorted ones, behind its equals; the last of them goes.
HWY_INLINE void insert(Ranked candidate, Index count, Ranked* sorted) {
  Index place = count - 1;
  for (; place > 0 && sorted[place - 1].value < candidate.value; --place) sorted[place] = sorted[place - 1];
  sorted[place] = candidate;
}

// One pass. Few numbers exceed the k-th best so far, and of four vectors mostly none.
HWY_INLINE void offer_all(Index begin, Index n, const Real* x, Index k, Ranked* best) {
  const auto offer = [&](Index i) {
    if (x[i] > best[k - 1].value) insert({static_cast<RowId>(i), x[i]}, k, best);
  };
  Index i = begin;
  for (; i + 4 * lanes() <= n; i += 4 * lanes()) {
    const V least = all(best[k - 1].value);
    const auto exceeds = [&](Index at) HWY_ATTR { return hn::Gt(load(x + i + at * lanes()), least); };
    if (hn::AllFalse(D(), hn::Or(hn::Or(exceeds(0), exceeds(1)), hn::Or(exceeds(2), exceeds(3))))) continue;
    for (Index at = 0; at < 4; ++at) {
      if (hn::AllFalse(D(), exceeds(at))) continue;
      for (Index lane = 0; lane < lanes(); ++lane) offer(i + at * lanes() + lane);
    }
  }
  for (; i < n; ++i) offer(i);
}

void top_k_of_short_row(Index n, const Real* x, Index k, Ranked* best) {
  for (Index i = 0; i < k; ++i) insert({static_cast<RowId>(i), x[i]}, i + 1, best);
  offer_all(k, n, x, k, best);
}

// Begins with a number that k of the row reach or exceed, the k-th of the largest in each lane: what is less is passed
// over from the first on. False if there is no such number, or NaN among them. k <= lanes()
bool top_k_of_long_row(Index n, const Real* x, Index k, Ranked* best) {
  HWY_ALIGN Real largest[HWY_MAX_BYTES / sizeof(Real)];
  V first = load(x), second = first;
  for (Index i = lanes(); i + 2 * lanes() <= n; i += 2 * lanes()) {
    first = hn::Max(first, load(x + i));
    second = hn::Max(second, load(x + i + lanes()));
  }
  hn::Store(hn::Max(first, second), D(), largest);
  top_k_of_short_row(lanes(), largest, k, best);
  const Real reached = best[k - 1].value, below = std::nextafter(reached, kNothing);
  if (!(below > kNothing)) return false;
  std::fill_n(best, k, Ranked{-1, below});
  offer_all(0, n, x, k, best);
  return best[k - 1].column >= 0;
}

void top_k_row(Index n, const Real* x, Index k, Ranked* best) {
  const bool is_long = k <= lanes() && n >= 16 * lanes();
  if (!is_long || !top_k_of_long_row(n, x, k, best)) top_k_of_short_row(n, x, k, best);
}

void top_k_rows(ConstMatrix x, Index k, Ranked* best) {
  for (Index r = 0; r < x.rows; ++r) top_k_row(x.cols, x.row(r), k, best + r * k);
}

}  // namespace
}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dhyan::kernels {

HWY_EXPORT(top_k_rows);

void top_k_rows(ConstMatrix x, Index k, std::span<Ranked> best) {
  if (k > 0) HWY_DYNAMIC_DISPATCH(top_k_rows)(x, k, best.data());
}

}  // namespace dhyan::kernels
#endif  // HWY_ONCE
