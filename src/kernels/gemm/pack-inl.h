// Parts of a matrix as panels; see microkernel-inl.h.
#if defined(DHYAN_KERNELS_PACK_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DHYAN_KERNELS_PACK_INL_H
#undef DHYAN_KERNELS_PACK_INL_H
#else
#define DHYAN_KERNELS_PACK_INL_H
#endif

#include "kernels/gemm/microkernel-inl.h"

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

// 4 columns of a matrix that is read transposed: 4 stored rows, 4 of their cells at a time.
template <class Operands, class Cell = typename Operands::Cell>
HWY_INLINE void pack_four_columns(const Real* from, Index stride, Index K, Cell* to) {
  Index k = 0;
#if HWY_TARGET != HWY_SCALAR
  if constexpr (sizeof(Cell) == 4) {
    const hn::FixedTag<Cell, 4> d;
    for (; k + 4 * Operands::kDeep <= K; k += 4 * Operands::kDeep, to += 4 * panel_width()) {
      const auto r0 = Operands::along(d, from + k), r1 = Operands::along(d, from + stride + k);
      const auto r2 = Operands::along(d, from + 2 * stride + k), r3 = Operands::along(d, from + 3 * stride + k);
      const auto r02l = hn::InterleaveLower(d, r0, r2), r13l = hn::InterleaveLower(d, r1, r3);
      const auto r02u = hn::InterleaveUpper(d, r0, r2), r13u = hn::InterleaveUpper(d, r1, r3);
      hn::StoreU(hn::InterleaveLower(d, r02l, r13l), d, to);
      hn::StoreU(hn::InterleaveUpper(d, r02l, r13l), d, to + panel_width());
      hn::StoreU(hn::InterleaveLower(d, r02u, r13u), d, to + 2 * panel_width());
      hn::StoreU(hn::InterleaveUpper(d, r02u, r13u), d, to + 3 * panel_width());
    }
  }
#endif
  for (; k < K; k += Operands::kDeep, to += panel_width()) {
    for (Index j = 0; j < 4; ++j) to[j] = Operands::cell(from + j * stride + k, K - k);
  }
}

// At most one panel's columns of one row of cells, filled up with zeros. `next` follows along k, or is null.
template <class Operands, class Cell = typename Operands::Cell>
HWY_INLINE void pack_row(const Real* from, const Real* next, Index n, Cell* to) {
  const hn::ScalableTag<Cell> d;
  V first = hn::Zero(D()), second = first, next_first = first, next_second = first;
  load_pair(from, n, first, second);
  if (Operands::kDeep > 1 && next != nullptr) load_pair(next, n, next_first, next_second);
  hn::StoreU(Operands::across(first, next_first), d, to);
  hn::StoreU(Operands::across(second, next_second), d, to + lanes());
}

// Of so many rows of k, one every `stride`: the rows of one row of cells after the other. f(row, next, cell)
template <class Operands, class F>
HWY_INLINE void for_rows_of_cells(const Real* from, Index stride, Index K, Index n, const F& f) {
  for (Index k = 0, cell = 0; k < K; k += Operands::kDeep, ++cell) {
    for (Index i = 0; i < Operands::kDeep; ++i) prefetch_row(from + std::min(k + i + kRowsAhead, K - 1) * stride, n);
    f(from + k * stride, k + 1 < K ? from + (k + 1) * stride : nullptr, cell);
  }
}

// At most one panel's columns.
template <class Operands, class Cell = typename Operands::Cell>
HWY_INLINE void pack_panel(const ConstMatrix& b, const Part& part, Cell* to) {
  const Index K = part.row_end - part.row, n = part.column_end - part.column;
  if (!b.transposed) {
    for_rows_of_cells<Operands>(b.data + part.row * b.stride + part.column, b.stride, K, n,
                                [&](const Real* row, const Real* next, Index cell)
                                    HWY_ATTR { pack_row<Operands>(row, next, n, to + cell * panel_width()); });
    return;
  }
  const Real* from = b.data + part.column * b.stride + part.row;
  Index j = 0;
  for (; j + 4 <= n; j += 4) pack_four_columns<Operands>(from + j * b.stride, b.stride, K, to + j);
  for (Index k = 0; k < K && j < panel_width(); k += Operands::kDeep, to += panel_width()) {
    for (Index i = j; i < n; ++i) to[i] = Operands::cell(from + i * b.stride + k, K - k);
    std::fill(to + n, to + panel_width(), Cell{0});
  }
}

template <class Operands, class Cell = typename Operands::Cell>
HWY_INLINE void pack(const ConstMatrix& b, const Part& part, Cell* to) {
  for (Index begin = part.column; begin < part.column_end; begin += panel_width()) {
    pack_panel<Operands>(b, {part.row, part.row_end, begin, std::min(begin + panel_width(), part.column_end)}, to);
    to += cells_of<Operands>(part.row_end - part.row) * panel_width();
  }
}

// Rows of cells that lie one after the other begin so far behind the end of the last: not in the same place of a cache.
constexpr Index kApart = 16;

// Cells of values that lie one after the other.
template <class Operands, class Cell = typename Operands::Cell>
HWY_INLINE void copy_along(const Real* from, Index n, Cell* to) {
  const hn::ScalableTag<Cell> d;
  Index k = 0;
  for (; k + Operands::kDeep * lanes() <= n; k += Operands::kDeep * lanes(), to += lanes()) {
    hn::StoreU(Operands::along(d, from + k), d, to);
  }
  for (; k < n; k += Operands::kDeep, ++to) *to = Operands::cell(from + k, n - k);
}

// Where rows lie pages apart, their values compete for the same few places of a cache. A copy does not.
HWY_INLINE bool far_apart(const ConstMatrix& a) { return a.transposed ? a.stride >= 256 : a.stride % 1024 == 0; }

// Rows of a left operand, close together.
template <class Operands, class Cell = typename Operands::Cell>
HWY_INLINE Factors<Cell> copy_rows(const Factors<Real>& a, Index rows, Index K, Cell* to) {
  const Index stride = cells_of<Operands>(K) + kApart;
  for (Index i = 0; i < rows; ++i) copy_along<Operands>(a.data + i * a.row, K, to + i * stride);
  return {to, stride, 1};
}

}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
