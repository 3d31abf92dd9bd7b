#include "kernels/rows/segments.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rows/segments.cpp"
#include <hwy/foreach_target.h>

#include "kernels/simd/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {
namespace {

HWY_INLINE V weight_of(RowWeight weight, Index length) {
  return all(weight == RowWeight::mean ? 1.0 / static_cast<double>(length) : 1.0);
}

void segment_sums_add(ConstMatrix x, const Segments& segments, RowWeight weight, Matrix s) {
  for (Index b = 0; b < segments.count(); ++b) {
    const V w = weight_of(weight, segments.length(b));
    for (Index r = segments.begin(b); r < segments.end(b); ++r) {
      accumulate(
          x.cols, s.row(b), [w](V v) { return hn::Mul(w, v); }, x.row(r));
    }
  }
}

void spread_rows_add(ConstMatrix s, const Segments& segments, RowWeight weight, Matrix x) {
  for (Index b = 0; b < segments.count(); ++b) {
    const V w = weight_of(weight, segments.length(b));
    for (Index r = segments.begin(b); r < segments.end(b); ++r) {
      accumulate(
          s.cols, x.row(r), [w](V v) { return hn::Mul(w, v); }, s.row(b));
    }
  }
}

void multiply_segments(ConstMatrix x, ConstMatrix s, const Segments& segments, Matrix y) {
  for (Index b = 0; b < segments.count(); ++b) {
    for (Index r = segments.begin(b); r < segments.end(b); ++r) {
      transform(
          x.cols, y.row(r), [](V v, V factor) { return hn::Mul(v, factor); }, x.row(r), s.row(b));
    }
  }
}

void multiply_segments_add(ConstMatrix x, ConstMatrix s, const Segments& segments, Matrix y) {
  for (Index b = 0; b < segments.count(); ++b) {
    for (Index r = segments.begin(b); r < segments.end(b); ++r) {
      accumulate(
          x.cols, y.row(r), [](V v, V factor) { return hn::Mul(v, factor); }, x.row(r), s.row(b));
    }
  }
}

}  // namespace
}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dhyan::kernels {

HWY_EXPORT(segment_sums_add);
HWY_EXPORT(spread_rows_add);
HWY_EXPORT(multiply_segments);
HWY_EXPORT(multiply_segments_add);

void segment_sums_add(ConstMatrix x, const Segments& segments, RowWeight weight, Matrix s) {
  HWY_DYNAMIC_DISPATCH(segment_sums_add)(x, segments, weight, s);
}

void spread_rows_add(ConstMatrix s, const Segments& segments, RowWeight weight, Matrix x) {
  HWY_DYNAMIC_DISPATCH(spread_rows_add)(s, segments, weight, x);
}

void spread_rows(ConstMatrix s, const Segments& segments, Matrix x) {
  for (Index b = 0; b < segments.count(); ++b) {
    for (Index r = segments.begin(b); r < segments.end(b); ++r) std::copy_n(s.row(b), s.cols, x.row(r));
  }
}

void multiply_segments(ConstMatrix x, ConstMatrix s, const Segments& segments, Matrix y) {
  HWY_DYNAMIC_DISPATCH(multiply_segments)(x, s, segments, y);
}

void multiply_segments_add(ConstMatrix x, ConstMatrix s, const Segments& segments, Matrix y) {
  HWY_DYNAMIC_DISPATCH(multiply_segments_add)(x, s, segments, y);
}

}  // namespace dhyan::kernels
#endif  // HWY_ONCE
