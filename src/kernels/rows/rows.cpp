#include "kernels/rows/rows.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rows/rows.cpp"
#include <hwy/foreach_target.h>

#include "kernels/simd/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {
namespace {

HWY_INLINE void add_row(Index n, const Real* from, Real* to) {
  accumulate(
      n, to, [](V v) { return v; }, from);
}

void add_rows(ConstMatrix from, Matrix to) {
  for (Index i = 0; i < from.rows; ++i) add_row(from.cols, from.row(i), to.row(i));
}

void gather_rows_add(ConstMatrix from, const RowId* ids, Matrix to) {
  for (Index i = 0; i < to.rows; ++i) {
    if (ids[i] >= 0) add_row(from.cols, from.row(ids[i]), to.row(i));
  }
}

void add_gathered_to_scaled(ConstMatrix x, Real factor, ConstMatrix from, const RowId* ids, Matrix y) {
  const V factors = all(factor);
  for (Index i = 0; i < y.rows; ++i) {
    transform(
        y.cols, y.row(i), [factors](V v, V added) { return hn::Add(hn::Mul(v, factors), added); }, x.row(i),
        from.row(ids[i]));
  }
}

void scatter_rows_add(ConstMatrix from, const RowId* ids, Matrix to) {
  for (Index i = 0; i < from.rows; ++i) {
    if (ids[i] >= 0) add_row(from.cols, from.row(i), to.row(ids[i]));
  }
}

}  // namespace
}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dhyan::kernels {

HWY_EXPORT(add_rows);
HWY_EXPORT(gather_rows_add);
HWY_EXPORT(add_gathered_to_scaled);
HWY_EXPORT(scatter_rows_add);

void copy_rows(ConstMatrix from, Matrix to) {
  for (Index i = 0; i < from.rows; ++i) std::copy_n(from.row(i), from.cols, to.row(i));
}

void add_rows(ConstMatrix from, Matrix to) { HWY_DYNAMIC_DISPATCH(add_rows)(from, to); }

void gather_rows(ConstMatrix from, std::span<const RowId> ids, Matrix to) {
  for (Index i = 0; i < to.rows; ++i) {
    const RowId id = ids[static_cast<std::size_t>(i)];
    if (id >= 0) {
      std::copy_n(from.row(id), from.cols, to.row(i));
    } else {
      std::fill_n(to.row(i), to.cols, Real{0});
    }
  }
}

void gather_columns(ConstMatrix from, std::span<const RowId> ids, Matrix to) {
  for (Index i = 0; i < to.rows; ++i) {
    for (std::size_t j = 0; j < ids.size(); ++j) to.row(i)[j] = from.row(i)[ids[j]];
  }
}

void gather_rows_add(ConstMatrix from, std::span<const RowId> ids, Matrix to) {
  HWY_DYNAMIC_DISPATCH(gather_rows_add)(from, ids.data(), to);
}

void add_gathered_to_scaled(ConstMatrix x, Real factor, ConstMatrix from, std::span<const RowId> ids, Matrix y) {
  HWY_DYNAMIC_DISPATCH(add_gathered_to_scaled)(x, factor, from, ids.data(), y);
}

void scatter_rows_add(ConstMatrix from, std::span<const RowId> ids, Matrix to) {
  HWY_DYNAMIC_DISPATCH(scatter_rows_add)(from, ids.data(), to);
}

}  // namespace dhyan::kernels
#endif  // HWY_ONCE
