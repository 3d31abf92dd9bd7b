#include "kernels/packed_matrix.h"

#include "kernels/elementwise.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/packed_matrix.cpp"
#include <hwy/foreach_target.h>

#include "kernels/pack-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {
namespace {

Index packed_size(Index inner, Index columns) { return panels_of(columns) * inner * panel_width(); }

void pack_all(ConstMatrix w, Real* to) { pack(w, {0, w.m(), 0, w.n()}, to); }

// y = sum + b + before y
struct FinishRow {
  const Real* bias;  // or null
  Matrix y;
  Real before = 0;

  HWY_INLINE void operator()(Index r, Index begin, Index n, V first, V second) const {
    Real* to = y.row(r) + begin;
    if (bias != nullptr) {
      V bias0 = hn::Zero(D()), bias1 = hn::Zero(D());
      load_pair(bias + begin, n, bias0, bias1);
      first = hn::Add(first, bias0), second = hn::Add(second, bias1);
    }
    if (before != 0) {
      V old0 = hn::Zero(D()), old1 = hn::Zero(D());
      load_pair(to, n, old0, old1);
      first = hn::MulAdd(all(before), old0, first), second = hn::MulAdd(all(before), old1, second);
    }
    store_pair(first, second, to, n);
  }
};

void multiply_packed(ConstMatrix x, const Real* panels, const Real* bias, Matrix y, Real before) {
  // A chunk of rows stays in the second-level cache, and each panel is read once for it.
  const Index chunk = std::max<Index>(kTileRows, 32768 / std::max<Index>(x.cols, 1) / kTileRows * kTileRows);
  packed_product({x.rows, x.cols, y.cols, chunk}, factors_of(x), panels, y, FinishRow{bias, y, before});
}

Index panel_size(Index inner) { return inner * panel_width(); }

// Reads the weight once from begin to end, as memory likes it: some columns of y stay in the first-level cache while
// four rows of the weight at a time pass by. Each sum is taken in the order of k, as in a tile.
void multiply_in_passing(ConstMatrix x, ConstMatrix w, Matrix y) {
  constexpr Index kBlock = 512, kAtOnce = 4;
  for (Index begin = 0; begin < y.cols; begin += kBlock) {
    const Index n = std::min(kBlock, y.cols - begin);
    for (Index r = 0; r < y.rows; ++r) std::fill_n(y.row(r) + begin, n, Real{0});
    for (Index k = 0; k < x.cols; k += kAtOnce) {
      const Index some = std::min(kAtOnce, x.cols - k);
      for (Index r = 0; r < y.rows; ++r) {
        const Real *at = x.row(r) + k, *from = w.row(k) + begin;
        Real* to = y.row(r) + begin;
        if (some == kAtOnce) {
          const V x0 = all(at[0]), x1 = all(at[1]), x2 = all(at[2]), x3 = all(at[3]);
          transform(
              n, to,
              [&](V sum, V w0, V w1, V w2, V w3) HWY_ATTR {
                return hn::MulAdd(x3, w3, hn::MulAdd(x2, w2, hn::MulAdd(x1, w1, hn::MulAdd(x0, w0, sum))));
              },
              to, from, from + w.stride, from + 2 * w.stride, from + 3 * w.stride);
        } else {
          for (Index i = 0; i < some; ++i) {
            const V factor = all(at[i]);
            transform(
                n, to, [&](V sum, V one) HWY_ATTR { return hn::MulAdd(factor, one, sum); }, to, from + i * w.stride);
          }
        }
      }
    }
  }
}

void multiply_panel_by_panel(ConstMatrix x, ConstMatrix w, const Real* bias, Matrix y, Real* buffer) {
  const FinishRow finish{bias, y};
  for (Index begin = 0; begin < y.cols; begin += panel_width()) {
    const Index n = std::min(panel_width(), y.cols - begin);
    pack_panel(w, {0, w.m(), begin, begin + n}, buffer);
    panel_product(x.rows, x.cols, factors_of(x), {buffer, panel_width()}, Matrix{y.data + begin, y.rows, n, y.stride},
                  [&](Index r, V first, V second) HWY_ATTR { finish(r, begin, n, first, second); });
  }
}

}  // namespace
}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dhyan::kernels {

HWY_EXPORT(packed_size);
HWY_EXPORT(pack_all);
HWY_EXPORT(multiply_packed);
HWY_EXPORT(panel_size);
HWY_EXPORT(multiply_in_passing);
HWY_EXPORT(multiply_panel_by_panel);

namespace {

const Real* data_or_null(std::span<const Real> bias) { return bias.empty() ? nullptr : bias.data(); }

}  // namespace

Index packed_count(ConstMatrix w) { return HWY_DYNAMIC_DISPATCH(packed_size)(w.m(), w.n()); }

PackedPanels pack_panels(ConstMatrix w, Real* to) {
  HWY_DYNAMIC_DISPATCH(pack_all)(w, to);
  return {to, w.m(), w.n()};
}

void multiply_panels(ConstMatrix x, const PackedPanels& w, std::span<const Real> bias, Matrix y, Real before) {
  expect_product(x, w.inner, w.columns, bias, y);
  HWY_DYNAMIC_DISPATCH(multiply_packed)(x, w.data, data_or_null(bias), y, before);
}

PackedMatrix::PackedMatrix(ConstMatrix w)
    : numbers_(Tensor::zeros({packed_count(w)})), panels_(pack_panels(w, numbers_.data())) {}

void PackedMatrix::multiply(ConstMatrix x, std::span<const Real> bias, Matrix y) const {
  multiply_panels(x, panels_, bias, y);
}

void multiply_rows(ConstMatrix x, ConstMatrix w, std::span<const Real> bias, Matrix y) {
  constexpr Index kFew = 24;
  expect_product(x, w.m(), w.n(), bias, y);
  if (x.rows <= kFew && !w.transposed) {
    HWY_DYNAMIC_DISPATCH(multiply_in_passing)(x, w, y);
    if (!bias.empty()) add_bias(y, bias, y);
    return;
  }
  thread_local Tensor panel;  // grows to the largest weight's
  const Index size = HWY_DYNAMIC_DISPATCH(panel_size)(w.m());
  if (panel.size() < size) panel = Tensor::zeros({size});
  HWY_DYNAMIC_DISPATCH(multiply_panel_by_panel)(x, w, data_or_null(bias), y, panel.data());
}

}  // namespace dhyan::kernels
#endif  // HWY_ONCE
