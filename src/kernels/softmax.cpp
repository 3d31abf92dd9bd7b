#include "kernels/softmax.h"

#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/softmax.cpp"
#include <hwy/foreach_target.h>

#include "kernels/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {
namespace {

constexpr Real kMinusInfinity = -std::numeric_limits<Real>::infinity();

// What is subtracted before exp, so that the largest term is exp(0). Of -inf only, nothing: -inf - -inf is no number.
Real shift_of(Index n, const Real* x) {
  const Real largest = max_of(n, x);
  return largest == kMinusInfinity ? 0 : largest;
}

void softmax_rows(ConstMatrix x, Matrix y) {
  if (x.cols == 0) return;
  for (Index r = 0; r < x.rows; ++r) {
    const Real* from = x.row(r);
    Real* to = y.row(r);
    const V shift = all(shift_of(x.cols, from));
    V sums = hn::Zero(D());
    each_vector(x.cols, [&](Index j, auto part) {
      const V e = exp_of(hn::Sub(part.load(from + j, kMinusInfinity), shift));
      part.store(e, to + j);
      sums = hn::Add(sums, e);
    });
    const Real sum = sum_of_lanes(sums);
    const V factor = all(sum == 0 ? Real{0} : 1 / sum);
    transform(
        x.cols, to, [&](V e) { return hn::Mul(e, factor); }, to);
  }
}

void softmax_rows_backward(ConstMatrix y, ConstMatrix dy, Matrix dx) {
  for (Index r = 0; r < y.rows; ++r) {
    const V mean = all(sum_of(
        y.cols, [](V p, V dp) { return hn::Mul(p, dp); }, y.row(r), dy.row(r)));
    accumulate(
        y.cols, dx.row(r), [&](V p, V dp) { return hn::Mul(p, hn::Sub(dp, mean)); }, y.row(r), dy.row(r));
  }
}

void log_softmax_rows(ConstMatrix x, Matrix y) {
  if (x.cols == 0) return;
  for (Index r = 0; r < x.rows; ++r) {
    const Real* from = x.row(r);
    const Real shift = shift_of(x.cols, from);
    V sums = hn::Zero(D());
    each_vector(x.cols, [&](Index j, auto part) {
      sums = hn::Add(sums, exp_of(hn::Sub(part.load(from + j, kMinusInfinity), all(shift))));
    });
    const Real sum = sum_of_lanes(sums);
    // Subtracted one after the other: next to a large shift a small log would be rounded away.
    const V large = all(shift), small = all(sum == 0 ? Real{0} : std::log(sum));
    transform(
        x.cols, y.row(r), [&](V v) { return hn::Sub(hn::Sub(v, large), small); }, from);
  }
}

void log_softmax_rows_backward(ConstMatrix y, ConstMatrix dy, Matrix dx) {
  for (Index r = 0; r < y.rows; ++r) {
    const V total = all(sum_of(
        y.cols, [](V dl) { return dl; }, dy.row(r)));
    accumulate(
        y.cols, dx.row(r), [&](V l, V dl) { return hn::NegMulAdd(exp_of(l), total, dl); }, y.row(r), dy.row(r));
  }
}

}  // namespace
}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dhyan::kernels {

HWY_EXPORT(softmax_rows);
HWY_EXPORT(softmax_rows_backward);
HWY_EXPORT(log_softmax_rows);
HWY_EXPORT(log_softmax_rows_backward);

void softmax_rows(ConstMatrix x, Matrix y) { HWY_DYNAMIC_DISPATCH(softmax_rows)(x, y); }

void softmax_rows_backward(ConstMatrix y, ConstMatrix dy, Matrix dx) {
  HWY_DYNAMIC_DISPATCH(softmax_rows_backward)(y, dy, dx);
}

void log_softmax_rows(ConstMatrix x, Matrix y) { HWY_DYNAMIC_DISPATCH(log_softmax_rows)(x, y); }

void log_softmax_rows_backward(ConstMatrix y, ConstMatrix dy, Matrix dx) {
  HWY_DYNAMIC_DISPATCH(log_softmax_rows_backward)(y, dy, dx);
}

}  // namespace dhyan::kernels
#endif  // HWY_ONCE
