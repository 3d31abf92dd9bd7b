// Packing of GEMM operands for microkernel-inl.h: blocks of b into panels, rows of a into contiguous cells.
#if defined(DHYAN_KERNELS_PACK_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DHYAN_KERNELS_PACK_INL_H
#undef DHYAN_KERNELS_PACK_INL_H
#else
#define DHYAN_KERNELS_PACK_INL_H
#endif

#include "kernels/gemm/microkernel-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {

// Ranges of rows and columns of a matrix, after transposition.
struct MatrixBlock {
  Index row, row_end, column, column_end;
};

// Rows to prefetch ahead: hardware prefetchers do not follow many strided rows.
constexpr Index kRowsAhead = 12;

HWY_INLINE void prefetch_row(const Real* row, Index n) {
  for (Index i = 0; i < n; i += 64 / static_cast<Index>(sizeof(Real))) hwy::Prefetch(row + i);
  hwy::Prefetch(row + n - 1);
}

// 4 columns of a transposed matrix: 4 stored rows, 4 of their cells at a time.
template <class Operands, class Cell = typename Operands::Cell>
HWY_INLINE void pack_four_columns(const Real* from, Index stride, Index K, Cell* to) {
  Index k = 0;
#if HWY_TARGET != HWY_SCALAR
  if constexpr (sizeof(Cell) == 4) {
    const hn::FixedTag<Cell, 4> d;
    for (; k + 4 * Operands::kValuesPerCell <= K; k += 4 * Operands::kValuesPerCell, to += 4 * panel_width()) {
      const auto r0 = Operands::pack_along_k(d, from + k), r1 = Operands::pack_along_k(d, from + stride + k);
      const auto r2 = Operands::pack_along_k(d, from + 2 * stride + k),
                 r3 = Operands::pack_along_k(d, from + 3 * stride + k);
      const auto r02l = hn::InterleaveLower(d, r0, r2), r13l = hn::InterleaveLower(d, r1, r3);
      const auto r02u = hn::InterleaveUpper(d, r0, r2), r13u = hn::InterleaveUpper(d, r1, r3);
      hn::StoreU(hn::InterleaveLower(d, r02l, r13l), d, to);
      hn::StoreU(hn::InterleaveUpper(d, r02l, r13l), d, to + panel_width());
      hn::StoreU(hn::InterleaveLower(d, r02u, r13u), d, to + 2 * panel_width());
      hn::StoreU(hn::InterleaveUpper(d, r02u, r13u), d, to + 3 * panel_width());
    }
  }
#endif
  for (; k < K; k += Operands::kValuesPerCell, to += panel_width()) {
    for (Index j = 0; j < 4; ++j) to[j] = Operands::cell(from + j * stride + k, K - k);
  }
}

// One row of cells of one panel, padded with zeros. `next` is the following row along k, or null.
template <class Operands, class Cell = typename Operands::Cell>
HWY_INLINE void pack_row(const Real* from, const Real* next, Index n, Cell* to) {
  const hn::ScalableTag<Cell> d;
  V first = hn::Zero(D()), second = first, next_first = first, next_second = first;
  load_pair(from, n, first, second);
  if (Operands::kValuesPerCell > 1 && next != nullptr) load_pair(next, n, next_first, next_second);
  hn::StoreU(Operands::pack_rows(first, next_first), d, to);
  hn::StoreU(Operands::pack_rows(second, next_second), d, to + lanes());
}

// Calls f(row, next, cell) for each row of cells among K rows of k, one every `stride`.
template <class Operands, class F>
HWY_INLINE void for_rows_of_cells(const Real* from, Index stride, Index K, Index n, const F& f) {
  for (Index k = 0, cell = 0; k < K; k += Operands::kValuesPerCell, ++cell) {
    for (Index i = 0; i < Operands::kValuesPerCell; ++i)
      prefetch_row(from + std::min(k + i + kRowsAhead, K - 1) * stride, n);
    f(from + k * stride, k + 1 < K ? from + (k + 1) * stride : nullptr, cell);
  }
}

// One panel, or the part of it that b has.
template <class Operands, class Cell = typename Operands::Cell>
HWY_INLINE void pack_panel(const ConstMatrix& b, const MatrixBlock& block, Cell* to) {
  const Index K = block.row_end - block.row, n = block.column_end - block.column;
  if (!b.transposed) {
    for_rows_of_cells<Operands>(b.data + block.row * b.stride + block.column, b.stride, K, n,
                                [&](const Real* row, const Real* next, Index cell)
                                    HWY_ATTR { pack_row<Operands>(row, next, n, to + cell * panel_width()); });
    return;
  }
  const Real* from = b.data + block.column * b.stride + block.row;
  Index j = 0;
  for (; j + 4 <= n; j += 4) pack_four_columns<Operands>(from + j * b.stride, b.stride, K, to + j);
  for (Index k = 0; k < K && j < panel_width(); k += Operands::kValuesPerCell, to += panel_width()) {
    for (Index i = j; i < n; ++i) to[i] = Operands::cell(from + i * b.stride + k, K - k);
    std::fill(to + n, to + panel_width(), Cell{0});
  }
}

template <class Operands, class Cell = typename Operands::Cell>
HWY_INLINE void pack(const ConstMatrix& b, const MatrixBlock& block, Cell* to) {
  for (Index begin = block.column; begin < block.column_end; begin += panel_width()) {
    pack_panel<Operands>(b, {block.row, block.row_end, begin, std::min(begin + panel_width(), block.column_end)}, to);
    to += cells_of<Operands>(block.row_end - block.row) * panel_width();
  }
}

// Cells between packed rows, so that their starts do not fall into the same cache set.
constexpr Index kRowPadding = 16;

// Cells of values that are contiguous along k.
template <class Operands, class Cell = typename Operands::Cell>
HWY_INLINE void pack_row_along_k(const Real* from, Index n, Cell* to) {
  const hn::ScalableTag<Cell> d;
  Index k = 0;
  for (; k + Operands::kValuesPerCell * lanes() <= n; k += Operands::kValuesPerCell * lanes(), to += lanes()) {
    hn::StoreU(Operands::pack_along_k(d, from + k), d, to);
  }
  for (; k < n; k += Operands::kValuesPerCell, ++to) *to = Operands::cell(from + k, n - k);
}

// Rows at a stride of whole pages compete for the same few cache sets; a packed copy does not.
HWY_INLINE bool has_cache_conflicts(const ConstMatrix& a) {
  return a.transposed ? a.stride >= 256 : a.stride % 1024 == 0;
}

// Packs rows of the left operand.
template <class Operands, class Cell = typename Operands::Cell>
HWY_INLINE StridedMatrix<Cell> pack_left_rows(const StridedMatrix<Real>& a, Index rows, Index K, Cell* to) {
  const Index stride = cells_of<Operands>(K) + kRowPadding;
  for (Index i = 0; i < rows; ++i) pack_row_along_k<Operands>(a.data + i * a.row_stride, K, to + i * stride);
  return {to, stride, 1};
}

}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
