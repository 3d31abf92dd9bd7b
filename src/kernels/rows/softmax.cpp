#include "kernels/rows/softmax.h"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rows/softmax.cpp"
#include <hwy/foreach_target.h>

#include "kernels/rows/softmax-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {
namespace {

void softmax_rows(ConstMatrix x, Matrix y) {
  for (Index r = 0; r < x.rows; ++r) softmax_row(x.cols, x.row(r), y.row(r));
}

void softmax_rows_backward(ConstMatrix y, ConstMatrix dy, Matrix dx) {
  for (Index r = 0; r < y.rows; ++r) softmax_row_backward(y.cols, y.row(r), dy.row(r), dx.row(r));
}

void log_softmax_rows(ConstMatrix x, Matrix y) {
  if (x.cols == 0) return;
  for (Index r = 0; r < x.rows; ++r) {
    const Real* from = x.row(r);
    const Real shift = softmax_shift(x.cols, from), sum = sum_of_exponentials(x.cols, from, shift);
    // Subtracts one after the other: in their sum, a small log would be rounded away next to a large shift.
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

void log_sum_exp_rows(ConstMatrix x, double* y) {
  for (Index r = 0; r < x.rows; ++r) y[r] = log_sum_of_exponentials(x.cols, x.row(r));
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
HWY_EXPORT(log_sum_exp_rows);

void softmax_rows(ConstMatrix x, Matrix y) { HWY_DYNAMIC_DISPATCH(softmax_rows)(x, y); }

void softmax_rows_backward(ConstMatrix y, ConstMatrix dy, Matrix dx) {
  HWY_DYNAMIC_DISPATCH(softmax_rows_backward)(y, dy, dx);
}

void log_softmax_rows(ConstMatrix x, Matrix y) { HWY_DYNAMIC_DISPATCH(log_softmax_rows)(x, y); }

void log_softmax_rows_backward(ConstMatrix y, ConstMatrix dy, Matrix dx) {
  HWY_DYNAMIC_DISPATCH(log_softmax_rows_backward)(y, dy, dx);
}

void log_sum_exp_rows(ConstMatrix x, std::span<double> y) { HWY_DYNAMIC_DISPATCH(log_sum_exp_rows)(x, y.data()); }

}  // namespace dhyan::kernels
#endif  // HWY_ONCE
