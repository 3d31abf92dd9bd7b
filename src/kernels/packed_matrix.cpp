#include "kernels/packed_matrix.h"

#include "core/error.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/packed_matrix.cpp"
#include <hwy/foreach_target.h>

#include "kernels/pack-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {
namespace {

Index packed_size(Index inner, Index columns) { return panels_of(columns) * inner * panel_width(); }

void pack_all(ConstMatrix w, Real* to) { pack(w, {0, w.m(), 0, w.n()}, to); }

void multiply_packed(ConstMatrix x, const Real* panels, const Real* bias, Matrix y) {
  // A chunk of rows stays in the second-level cache, and each panel is read once for it.
  const Index chunk = std::max<Index>(kTileRows, 32768 / std::max<Index>(x.cols, 1) / kTileRows * kTileRows);
  packed_product({x.rows, x.cols, y.cols, chunk}, factors_of(x), panels, y,
                 [&](Index r, Index begin, Index n, V first, V second) HWY_ATTR {
                   if (bias != nullptr) {
                     V bias0 = hn::Zero(D()), bias1 = hn::Zero(D());
                     load_pair(bias + begin, n, bias0, bias1);
                     first = hn::Add(first, bias0), second = hn::Add(second, bias1);
                   }
                   store_pair(first, second, y.row(r) + begin, n);
                 });
}

}  // namespace
}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dhyan::kernels {

HWY_EXPORT(packed_size);
HWY_EXPORT(pack_all);
HWY_EXPORT(multiply_packed);

namespace {

const Real* data_or_null(std::span<const Real> bias) { return bias.empty() ? nullptr : bias.data(); }

}  // namespace

PackedMatrix::PackedMatrix(ConstMatrix w)
    : inner_(w.m()), columns_(w.n()), panels_(Tensor::zeros({HWY_DYNAMIC_DISPATCH(packed_size)(inner_, columns_)})) {
  HWY_DYNAMIC_DISPATCH(pack_all)(w, panels_.data());
}

void PackedMatrix::multiply(ConstMatrix x, std::span<const Real> bias, Matrix y) const {
  expect_product(x, inner_, columns_, bias, y);
  HWY_DYNAMIC_DISPATCH(multiply_packed)(x, panels_.data(), data_or_null(bias), y);
}

void multiply_rows(ConstMatrix x, ConstMatrix w, std::span<const Real> bias, Matrix y) {
  expect_product(x, w.m(), w.n(), bias, y);
  thread_local Tensor panels;  // grows to the largest weight
  const Index size = HWY_DYNAMIC_DISPATCH(packed_size)(w.m(), w.n());
  if (panels.size() < size) panels = Tensor::zeros({size});
  HWY_DYNAMIC_DISPATCH(pack_all)(w, panels.data());
  HWY_DYNAMIC_DISPATCH(multiply_packed)(x, panels.data(), data_or_null(bias), y);
}

}  // namespace dhyan::kernels
#endif  // HWY_ONCE
