#include "kernels/rows/reductions.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rows/reductions.cpp"
#include <hwy/foreach_target.h>

#include "kernels/simd/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {
namespace {

using Doubles = hn::ScalableTag<double>;
using DoubleV = hn::Vec<Doubles>;

HWY_INLINE DoubleV load_in_double(const float* from) {
  return hn::PromoteTo(Doubles(), hn::LoadU(hn::Rebind<float, Doubles>(), from));
}
HWY_INLINE DoubleV load_in_double(const double* from) { return hn::LoadU(Doubles(), from); }

// Sum of f(x_i), f taking and giving vectors of double. Four running sums hide the latency of addition.
template <class F>
HWY_INLINE double sum_in_double(Index n, const Real* x, const F& f) {
  const auto step = static_cast<Index>(hn::Lanes(Doubles()));
  DoubleV sum0 = hn::Zero(Doubles()), sum1 = sum0, sum2 = sum0, sum3 = sum0;
  Index i = 0;
  for (; i + 4 * step <= n; i += 4 * step) {
    sum0 = hn::Add(sum0, f(load_in_double(x + i)));
    sum1 = hn::Add(sum1, f(load_in_double(x + i + step)));
    sum2 = hn::Add(sum2, f(load_in_double(x + i + 2 * step)));
    sum3 = hn::Add(sum3, f(load_in_double(x + i + 3 * step)));
  }
  for (; i + step <= n; i += step) sum0 = hn::Add(sum0, f(load_in_double(x + i)));
  HWY_ALIGN Real rest[HWY_MAX_BYTES / sizeof(double)] = {};
  if (i < n) {
    for (Index k = 0; i + k < n; ++k) rest[k] = x[i + k];
    sum1 = hn::Add(sum1, f(load_in_double(rest)));
  }
  return hn::GetLane(hn::SumOfLanes(Doubles(), hn::Add(hn::Add(sum0, sum1), hn::Add(sum2, sum3))));
}

double sum(Index n, const Real* x) {
  return sum_in_double(n, x, [](DoubleV v) { return v; });
}

double sum_of_squares(Index n, const Real* x) {
  return sum_in_double(n, x, [](DoubleV v) { return hn::Mul(v, v); });
}

}  // namespace
}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dhyan::kernels {

HWY_EXPORT(sum);
HWY_EXPORT(sum_of_squares);

double sum(std::span<const Real> x) { return HWY_DYNAMIC_DISPATCH(sum)(std::ssize(x), x.data()); }

double sum_of_squares(std::span<const Real> x) { return HWY_DYNAMIC_DISPATCH(sum_of_squares)(std::ssize(x), x.data()); }

}  // namespace dhyan::kernels
#endif  // HWY_ONCE
