// Epilogues of the int8 GEMM. apply() takes a microkernel's sums in registers, apply_partial() a row of the last panel
// if that is not full. Compiled once per instruction set; see simd-inl.h.
#if defined(DHYAN_KERNELS_INT8_EPILOGUE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DHYAN_KERNELS_INT8_EPILOGUE_INL_H
#undef DHYAN_KERNELS_INT8_EPILOGUE_INL_H
#else
#define DHYAN_KERNELS_INT8_EPILOGUE_INL_H
#endif

#include <algorithm>
#include <bit>

#include "kernels/gemm/microkernel-inl.h"
#include "kernels/rows/top_k-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {

// One row of a panel.
struct PanelRow {
  V first, second;
};

// Stores all values in y.
struct StoreEpilogue {
  Matrix y;

  HWY_INLINE Index columns() const { return y.cols; }

  // Prefetches the memory it will write, unless y is small enough to be cached.
  HWY_INLINE void prefetch_rows(Index begin, Index end, Index column) const {
    constexpr Index kCachedValues = 131072;
    if (y.rows * y.stride <= kCachedValues) return;
    for (Index r = begin; r < end; ++r) {
      hwy::Prefetch(y.row(r) + column);
      hwy::Prefetch(y.row(r) + column + panel_width() / 2);
    }
  }

  template <class Sums>
  HWY_INLINE void apply(Index row, Index column, const Sums& sums) const {
    Real* to = y.row(row) + column;
#pragma GCC unroll 16
    for (int r = 0; r < Sums::kRows; ++r, to += y.stride) {
      const PanelRow values = sums.row(r);
      store(values.first, to);
      store(values.second, to + lanes());
    }
  }

  HWY_INLINE void apply_partial(Index row, Index column, Index n, const Real* values) const {
    std::copy_n(values, n, y.row(row) + column);
  }
};

// Keeps the k largest of each row, as top_k_rows gives them, and stores nothing else. Entries start as column -1 with
// -inf and stay so if fewer than k values are above -inf. Ignores NaN.
struct TopKEpilogue {
  Index outputs, k;
  RowId first_column;  // of these outputs in the whole weight
  Ranked* top;         // [M,k]

  HWY_INLINE Index columns() const { return outputs; }
  HWY_INLINE void prefetch_rows(Index, Index, Index) const {}
  HWY_INLINE Ranked* of_row(Index row) const { return top + row * k; }

  // Few rows of a panel have a value above their k-th largest so far, and mostly no row of a microkernel has: an upper
  // bound per row, which is cheaper than the values, rules most of them out.
  template <class Sums>
  HWY_INLINE void apply(Index row, Index column, const Sums& sums) const {
    unsigned exceeding = 0;  // a bit for each row that may have one
    const Real* threshold = &of_row(row)[k - 1].value;
#pragma GCC unroll 16
    for (int r = 0; r < Sums::kRows; ++r) {
      const auto below = hn::Le(sums.upper_bound(r), all(threshold[r * k * (sizeof(Ranked) / sizeof(Real))]));
      exceeding |= unsigned{!hn::AllTrue(D(), below)} << r;
    }
    if (HWY_LIKELY(exceeding == 0)) return;
    HWY_ALIGN Real values[Sums::kRows * 2 * HWY_MAX_BYTES / sizeof(Real)];
#pragma GCC unroll 16
    for (int r = 0; r < Sums::kRows; ++r) {
      const PanelRow panel_row = sums.row(r);
      hn::Store(panel_row.first, D(), values + r * panel_width());
      hn::Store(panel_row.second, D(), values + r * panel_width() + lanes());
    }
    offer_rows(exceeding, row, column, values);
  }

  HWY_NOINLINE void offer_rows(unsigned rows, Index row, Index column, const Real* values) const {
    for (; rows != 0; rows &= rows - 1) {
      const int r = std::countr_zero(rows);
      for (Index half = 0; half < panel_width(); half += lanes()) {
        const Real* from = values + r * panel_width() + half;
        const auto exceeds = hn::Gt(hn::Load(D(), from), all(of_row(row + r)[k - 1].value));
        for (Lanes left = lanes_of(exceeds); left != 0; left &= left - 1) {
          const int lane = std::countr_zero(left);
          offer(row + r, column + half + lane, from[lane]);
        }
      }
    }
  }

  HWY_INLINE void offer(Index row, Index column, Real value) const {
    if (value > of_row(row)[k - 1].value) {
      insert({static_cast<RowId>(first_column + column), value}, k, of_row(row));
    }
  }

  HWY_INLINE void apply_partial(Index row, Index column, Index n, const Real* values) const {
    for (Index j = 0; j < n; ++j) offer(row, column + j, values[j]);
  }
};

}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
