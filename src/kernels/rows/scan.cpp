#include "kernels/rows/scan.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rows/scan.cpp"
#include <hwy/foreach_target.h>

#include "kernels/simd/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {
namespace {

void gated_scan(const ScanInputs& in, const Segments& segments, Matrix c) {
  for (Index b = 0; b < segments.count(); ++b) {
    const Real* before = in.start.row(b);
    for (Index r = segments.begin(b); r < segments.end(b); ++r) {
      transform(
          c.cols, c.row(r), [](V x, V f, V last) { return hn::MulAdd(f, hn::Sub(last, x), x); }, in.x.row(r),
          in.f.row(r), before);
      before = c.row(r);
    }
  }
}

// carry: f_{r+1} times the whole gradient of c_{r+1}.
void gated_scan_backward(const ScanInputs& in, const Segments& segments, ConstMatrix c, ConstMatrix dc, Matrix carry,
                         const ScanGradients& into) {
  const Index H = c.cols;
  Real* const carried = carry.row(0);
  for (Index b = 0; b < segments.count(); ++b) {
    std::fill_n(carried, H, Real{0});
    for (Index r = segments.end(b) - 1; r >= segments.begin(b); --r) {
      const Real* before = r == segments.begin(b) ? in.start.row(b) : c.row(r - 1);
      const Real *x = in.x.row(r), *f = in.f.row(r), *given = dc.row(r);
      Real *to_x = into.x.row(r), *to_f = into.f.row(r);
      each_vector(H, [&](Index j, auto part) {
        const V d = hn::Add(part.load(given + j), part.load(carried + j));
        const V passed = hn::Mul(d, part.load(f + j));
        if (to_f != nullptr) part.add(hn::Mul(d, hn::Sub(part.load(before + j), part.load(x + j))), to_f + j);
        if (to_x != nullptr) part.add(hn::Sub(d, passed), to_x + j);
        part.store(passed, carried + j);
      });
    }
    if (into.start.data == nullptr) continue;
    accumulate(
        H, into.start.row(b), [](V v) { return v; }, carried);
  }
}

}  // namespace
}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dhyan::kernels {

HWY_EXPORT(gated_scan);
HWY_EXPORT(gated_scan_backward);

void gated_scan(const ScanInputs& in, const Segments& segments, Matrix c) {
  HWY_DYNAMIC_DISPATCH(gated_scan)(in, segments, c);
}

void gated_scan_backward(const ScanInputs& in, const Segments& segments, ConstMatrix c, ConstMatrix dc, Matrix carry,
                         const ScanGradients& into) {
  HWY_DYNAMIC_DISPATCH(gated_scan_backward)(in, segments, c, dc, carry, into);
}

}  // namespace dhyan::kernels
#endif  // HWY_ONCE
