#include "kernels/top_k.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/top_k.cpp"
#include <hwy/foreach_target.h>

#include "kernels/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {
namespace {

// Puts a number among `count` sorted ones, behind its equals; the last of them goes.
HWY_INLINE void insert(Ranked candidate, Index count, Ranked* sorted) {
  Index place = count - 1;
  for (; place > 0 && sorted[place - 1].value < candidate.value; --place) sorted[place] = sorted[place - 1];
  sorted[place] = candidate;
}

// One pass. Of a random row few numbers exceed the k-th best so far, and whole vectors are passed over.
void top_k_row(Index n, const Real* x, Index k, Ranked* best) {
  const auto ranked = [x](Index i) { return Ranked{static_cast<RowId>(i), x[i]}; };
  for (Index i = 0; i < k; ++i) insert(ranked(i), i + 1, best);
  const auto offer = [&](Index i) {
    if (x[i] > best[k - 1].value) insert(ranked(i), k, best);
  };
  Index i = k;
  for (; i + lanes() <= n; i += lanes()) {
    if (hn::AllFalse(D(), hn::Gt(load(x + i), all(best[k - 1].value)))) continue;
    for (Index lane = 0; lane < lanes(); ++lane) offer(i + lane);
  }
  for (; i < n; ++i) offer(i);
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
