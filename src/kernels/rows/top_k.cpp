#include "kernels/rows/top_k.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "kernels/rows/softmax.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rows/top_k.cpp"
#include <hwy/foreach_target.h>

#include "kernels/rows/softmax-inl.h"
#include "kernels/rows/top_k-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {
namespace {

// One pass over x. Few values exceed the k-th largest so far, mostly none of four vectors. Calls visit(vector) for
// every vector, padded with -inf at the end.
template <class Visit>
HWY_INLINE void offer_all(Index begin, Index n, const Real* x, Index k, Ranked* top, const Visit& visit) {
  const auto offer = [&](Index i) {
    if (x[i] > top[k - 1].value) insert({static_cast<RowId>(i), x[i]}, k, top);
  };
  Index i = begin;
  for (; i + 4 * lanes() <= n; i += 4 * lanes()) {
    const V v[4] = {load(x + i), load(x + i + lanes()), load(x + i + 2 * lanes()), load(x + i + 3 * lanes())};
    for (const V& one : v) visit(one);
    const V largest = hn::Max(hn::Max(v[0], v[1]), hn::Max(v[2], v[3]));
    if (hn::AllFalse(D(), hn::Gt(largest, all(top[k - 1].value)))) continue;
    for (Index at = 0; at < 4; ++at) {
      const auto exceeds = hn::Gt(v[at], all(top[k - 1].value));
      for (Lanes left = lanes_of(exceeds); left != 0; left &= left - 1) {
        offer(i + at * lanes() + std::countr_zero(left));
      }
    }
  }
  each_vector(n - i, [&](Index at, auto part) HWY_ATTR { visit(part.load(x + i + at, kMinusInfinity)); });
  for (; i < n; ++i) offer(i);
}

void top_k_of_short_row(Index n, const Real* x, Index k, Ranked* top) {
  for (Index i = 0; i < k; ++i) insert({static_cast<RowId>(i), x[i]}, i + 1, top);
  offer_all(k, n, x, k, top, [](V) {});
}

// Maximum of each lane; n >= lanes().
HWY_INLINE V largest_by_lane(Index n, const Real* x) {
  V first = load(x), second = first;
  Index i = lanes();
  for (; i + 2 * lanes() <= n; i += 2 * lanes()) {
    first = hn::Max(first, load(x + i));
    second = hn::Max(second, load(x + i + lanes()));
  }
  each_vector(n - i, [&](Index at, auto part) HWY_ATTR { first = hn::Max(first, part.load(x + i + at, x[0])); });
  return hn::Max(first, second);
}

// Starts with a threshold that at least k values of the row reach, the k-th largest of the maxima per lane, so that
// most values are skipped. False if that is -inf or NaN. k <= lanes()
template <class Visit>
HWY_INLINE bool top_k_of_long_row(Index n, const Real* x, V largest, Index k, Ranked* top, const Visit& visit) {
  HWY_ALIGN Real by_lane[HWY_MAX_BYTES / sizeof(Real)];
  hn::Store(largest, D(), by_lane);
  top_k_of_short_row(lanes(), by_lane, k, top);
  const Real threshold = top[k - 1].value, below = std::nextafter(threshold, kMinusInfinity);
  if (!(below > kMinusInfinity)) return false;
  std::fill_n(top, k, Ranked{-1, below});
  offer_all(0, n, x, k, top, visit);
  return top[k - 1].column >= 0;
}

HWY_INLINE bool is_long_row(Index n, Index k) { return k <= lanes() && n >= 16 * lanes(); }

void top_k_row(Index n, const Real* x, Index k, Ranked* top) {
  if (is_long_row(n, k) && top_k_of_long_row(n, x, largest_by_lane(n, x), k, top, [](V) {})) return;
  top_k_of_short_row(n, x, k, top);
}

void top_k_rows(ConstMatrix x, Index k, Ranked* top) {
  for (Index r = 0; r < x.rows; ++r) top_k_row(x.cols, x.row(r), k, top + r * k);
}

double log_sum_and_top_k_row(Index n, const Real* x, Index k, Ranked* top) {
  if (is_long_row(n, k)) {
    const V largest = largest_by_lane(n, x);
    LogSum sum(hn::GetLane(hn::MaxOfLanes(D(), largest)));
    if (top_k_of_long_row(n, x, largest, k, top, [&](V v) HWY_ATTR { sum.add(v); })) return sum.log();
  }
  top_k_of_short_row(n, x, k, top);
  return log_sum_of_exponentials(n, x);
}

void log_sum_and_top_k_rows(ConstMatrix x, double* log_sums, Index k, Ranked* top) {
  for (Index r = 0; r < x.rows; ++r) log_sums[r] = log_sum_and_top_k_row(x.cols, x.row(r), k, top + r * k);
}

}  // namespace
}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dhyan::kernels {

HWY_EXPORT(top_k_rows);
HWY_EXPORT(log_sum_and_top_k_rows);

void top_k_rows(ConstMatrix x, Index k, std::span<Ranked> top) {
  if (k > 0) HWY_DYNAMIC_DISPATCH(top_k_rows)(x, k, top.data());
}

void log_sum_and_top_k_rows(ConstMatrix x, std::span<double> log_sums, Index k, std::span<Ranked> top) {
  if (k == 0) return log_sum_exp_rows(x, log_sums);
  HWY_DYNAMIC_DISPATCH(log_sum_and_top_k_rows)(x, log_sums.data(), k, top.data());
}

}  // namespace dhyan::kernels
#endif  // HWY_ONCE
