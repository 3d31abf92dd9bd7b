// Parts of a matrix as panels; see tile-inl.h.
#if defined(DHYAN_KERNELS_PACK_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DHYAN_KERNELS_PACK_INL_H
#undef DHYAN_KERNELS_PACK_INL_H
#else
#define DHYAN_KERNELS_PACK_INL_H
#endif

#include "kernels/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {

// Rows and columns of a matrix, as read.
struct Part {
  Index row, row_end, column, column_end;
};

// Rows that lie apart are asked for some rows before they are read: no machine foresees them all.
constexpr Index kRowsAhead = 12;

HWY_INLINE void prefetch_row(const Real* row, Index n) {
  for (Index i = 0; i < n; i += 64 / static_cast<Index>(sizeof(Real))) hwy::Prefetch(row + i);
  hwy::Prefetch(row + n - 1);
}

// 4 columns of a matrix that is read transposed: 4 stored rows, 4 of their numbers at a time.
HWY_INLINE void pack_four_columns(const Real* from, Index stride, Index K, Real* to) {
  Index k = 0;
#if HWY_TARGET != HWY_SCALAR
  if constexpr (sizeof(Real) == 4) {
    const hn::FixedTag<Real, 4> d;
    for (; k + 4 <= K; k += 4) {
      const auto r0 = hn::LoadU(d, from + k), r1 = hn::LoadU(d, from + stride + k);
      const auto r2 = hn::LoadU(d, from + 2 * stride + k), r3 = hn::LoadU(d, from + 3 * stride + k);
      const auto r02l = hn::InterleaveLower(d, r0, r2), r13l = hn::InterleaveLower(d, r1, r3);
      const auto r02u = hn::InterleaveUpper(d, r0, r2), r13u = hn::InterleaveUpper(d, r1, r3);
      hn::StoreU(hn::InterleaveLower(d, r02l, r13l), d, to + k * panel_width());
      hn::StoreU(hn::InterleaveUpper(d, r02l, r13l), d, to + (k + 1) * panel_width());
      hn::StoreU(hn::InterleaveLower(d, r02u, r13u), d, to + (k + 2) * panel_width());
      hn::StoreU(hn::InterleaveUpper(d, r02u, r13u), d, to + (k + 3) * panel_width());
    }
  }
#endif
  for (; k < K; ++k) {
    for (Index j = 0; j < 4; ++j) to[k * panel_width() + j] = from[j * stride + k];
  }
}

// At most one panel's columns.
HWY_INLINE void pack_panel(const ConstMatrix& b, const Part& part, Real* to) {
  const Index K = part.row_end - part.row, n = part.column_end - part.column;
  if (b.transposed) {
    const Real* from = b.data + part.column * b.stride + part.row;
    Index j = 0;
    for (; j + 4 <= n; j += 4) pack_four_columns(from + j * b.stride, b.stride, K, to + j);
    for (; j < n; ++j) {
      for (Index k = 0; k < K; ++k) to[k * panel_width() + j] = from[j * b.stride + k];
    }
    if (n == panel_width()) return;
    for (Index k = 0; k < K; ++k) std::fill(to + k * panel_width() + n, to + (k + 1) * panel_width(), Real{0});
    return;
  }
  const Real* from = b.data + part.row * b.stride + part.column;
  for (Index k = 0; k < K; ++k, from += b.stride, to += panel_width()) {
    prefetch_row(from + std::min(kRowsAhead, K - 1 - k) * b.stride, n);
    V first = hn::Zero(D()), second = hn::Zero(D());
    load_pair(from, n, first, second);
    store(first, to);
    store(second, to + lanes());
  }
}

HWY_INLINE void pack(const ConstMatrix& b, const Part& part, Real* to) {
  for (Index begin = part.column; begin < part.column_end; begin += panel_width()) {
    pack_panel(b, {part.row, part.row_end, begin, std::min(begin + panel_width(), part.column_end)}, to);
    to += (part.row_end - part.row) * panel_width();
  }
}

}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
