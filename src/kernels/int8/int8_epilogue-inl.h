// What becomes of the values of an 8-bit product once they are finished: whole panels of some rows as they lie in
// registers, or what there is of a row's last panel. Compiled once per instruction set; see simd-inl.h.
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

// The values of a row and a panel.
struct RowOfPanel {
  V first, second;
};

// All are written to y.
struct StoreEpilogue {
  Matrix y;

  HWY_INLINE Index columns() const { return y.cols; }

  // Asks for what will be written, unless it is near anyway.
  HWY_INLINE void expect_rows(Index begin, Index end, Index column) const {
    constexpr Index kNear = 131072;
    if (y.rows * y.stride <= kNear) return;
    for (Index r = begin; r < end; ++r) {
      hwy::Prefetch(y.row(r) + column);
      hwy::Prefetch(y.row(r) + column + panel_width() / 2);
    }
  }

  template <class Sums>
  HWY_INLINE void finish(Index row, Index column, const Sums& sums) const {
    Real* to = y.row(row) + column;
#pragma GCC unroll 16
    for (int r = 0; r < Sums::kRows; ++r, to += y.stride) {
      const RowOfPanel values = sums.row(r);
      store(values.first, to);
      store(values.second, to + lanes());
    }
  }

  HWY_INLINE void apply_partial(Index row, Index column, Index n, const Real* values) const {
    std::copy_n(values, n, y.row(row) + column);
  }
};

// The k largest of each row, as top_k_rows gives them, and nothing else is written. They begin as -1 with -inf, and
// stay so where there are not as many values above -inf. What is no number is passed over.
struct TopKEpilogue {
  Index outputs, k;
  RowId first_column;  // of the outputs
  Ranked* best;        // [M,k]

  HWY_INLINE Index columns() const { return outputs; }
  HWY_INLINE void expect_rows(Index, Index, Index) const {}
  HWY_INLINE Ranked* of_row(Index row) const { return best + row * k; }

  // Few rows of a panel have a number that exceeds the k-th best so far: of those of a tile, mostly none. Of most rows
  // their values need not be known, only that none is larger than that.
  template <class Sums>
  HWY_INLINE void finish(Index row, Index column, const Sums& sums) const {
    unsigned exceeding = 0;  // a bit for each row that may
    const Real* least = &of_row(row)[k - 1].value;
#pragma GCC unroll 16
    for (int r = 0; r < Sums::kRows; ++r) {
      const auto within = hn::Le(sums.most_of_row(r), all(least[r * k * (sizeof(Ranked) / sizeof(Real))]));
      exceeding |= unsigned{!hn::AllTrue(D(), within)} << r;
    }
    if (HWY_LIKELY(exceeding == 0)) return;
    HWY_ALIGN Real values[Sums::kRows * 2 * HWY_MAX_BYTES / sizeof(Real)];
#pragma GCC unroll 16
    for (int r = 0; r < Sums::kRows; ++r) {
      const RowOfPanel of_panel = sums.row(r);
      hn::Store(of_panel.first, D(), values + r * panel_width());
      hn::Store(of_panel.second, D(), values + r * panel_width() + lanes());
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

  HWY_INLINE void offer(Index row, Index column, Real number) const {
    if (number > of_row(row)[k - 1].value) {
      insert({static_cast<RowId>(first_column + column), number}, k, of_row(row));
    }
  }

  HWY_INLINE void apply_partial(Index row, Index column, Index n, const Real* values) const {
    for (Index j = 0; j < n; ++j) offer(row, column + j, values[j]);
  }
};

}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
