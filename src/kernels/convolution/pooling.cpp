#include "kernels/convolution/pooling.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/convolution/pooling.cpp"
#include <hwy/foreach_target.h>

#include "kernels/simd/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {
namespace {

// The cells of x in a window, as rows of x.
struct WindowCells {
  Index first, width, rows, columns;  // row `first` of x and the distance of two rows of the picture

  Index count() const { return rows * columns; }
  template <class F>
  HWY_INLINE void each(const F& f) const {  // f(row of x)
    for (Index i = 0; i < rows; ++i) {
      for (Index j = 0; j < columns; ++j) f(first + i * width + j);
    }
  }
};

// f(window, cells) for all windows
template <class F>
HWY_INLINE void for_windows(const Windows& w, const F& f) {
  WindowPlace place{};
  for (Index index = 0; index < w.rows(); ++index, place.next(w)) {
    const Index left = place.column * w.stride - w.left, top = place.row * w.stride - w.top;
    const TapRange columns = taps_inside(left, w.kernel, w.in.width), rows = taps_inside(top, w.kernel, w.in.height);
    f(index, WindowCells{(place.picture * w.in.height + top + rows.begin) * w.in.width + left + columns.begin,
                         w.in.width, rows.end - rows.begin, columns.end - columns.begin});
  }
}

HWY_INLINE V larger(V largest, V value) {
  return or_nan(hn::IfThenElse(hn::Gt(value, largest), value, largest), value);
}

void max_pool_windows(ConstMatrix x, const Windows& w, Matrix y) {
  for_windows(w, [&](Index index, const WindowCells& cells) {
    each_vector(x.cols, [&](Index c, auto part) {
      V largest = part.load(x.row(cells.first) + c);
      cells.each([&](Index row) { largest = larger(largest, part.load(x.row(row) + c)); });
      part.store(largest, y.row(index) + c);
    });
  });
}

void max_pool_windows_backward(ConstMatrix x, const Windows& w, ConstMatrix y, ConstMatrix dy, Matrix dx) {
  for_windows(w, [&](Index index, const WindowCells& cells) {
    each_vector(x.cols, [&](Index c, auto part) {
      const V largest = part.load(y.row(index) + c);
      V rest = part.load(dy.row(index) + c);  // goes to the first of the largest
      cells.each([&](Index row) {
        const auto found = hn::Eq(part.load(x.row(row) + c), largest);
        part.add(hn::IfThenElseZero(found, rest), dx.row(row) + c);
        rest = hn::IfThenZeroElse(found, rest);
      });
    });
  });
}

void mean_pool_windows(ConstMatrix x, const Windows& w, Matrix y) {
  for_windows(w, [&](Index index, const WindowCells& cells) {
    const V share = all(1.0 / static_cast<double>(cells.count()));
    each_vector(x.cols, [&](Index c, auto part) {
      V sum = hn::Zero(D());
      cells.each([&](Index row) { sum = hn::Add(sum, part.load(x.row(row) + c)); });
      part.store(hn::Mul(sum, share), y.row(index) + c);
    });
  });
}

void mean_pool_windows_backward(ConstMatrix dy, const Windows& w, Matrix dx) {
  for_windows(w, [&](Index index, const WindowCells& cells) {
    const V share = all(1.0 / static_cast<double>(cells.count()));
    each_vector(dx.cols, [&](Index c, auto part) {
      const V each = hn::Mul(part.load(dy.row(index) + c), share);
      cells.each([&](Index row) { part.add(each, dx.row(row) + c); });
    });
  });
}

}  // namespace
}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dhyan::kernels {

HWY_EXPORT(max_pool_windows);
HWY_EXPORT(max_pool_windows_backward);
HWY_EXPORT(mean_pool_windows);
HWY_EXPORT(mean_pool_windows_backward);

void max_pool(ConstMatrix x, const Windows& windows, Matrix y) {
  HWY_DYNAMIC_DISPATCH(max_pool_windows)(x, windows, y);
}

void max_pool_backward(ConstMatrix x, const Windows& windows, ConstMatrix y, ConstMatrix dy, Matrix dx) {
  HWY_DYNAMIC_DISPATCH(max_pool_windows_backward)(x, windows, y, dy, dx);
}

void mean_pool(ConstMatrix x, const Windows& windows, Matrix y) {
  HWY_DYNAMIC_DISPATCH(mean_pool_windows)(x, windows, y);
}

void mean_pool_backward(ConstMatrix dy, const Windows& windows, Matrix dx) {
  HWY_DYNAMIC_DISPATCH(mean_pool_windows_backward)(dy, windows, dx);
}

}  // namespace dhyan::kernels
#endif  // HWY_ONCE
