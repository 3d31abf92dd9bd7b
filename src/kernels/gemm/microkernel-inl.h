// The GEMM microkernel: the sums of a few rows and one panel of columns stay in registers while k runs. Compiled once
// per instruction set; see simd-inl.h.
//
// A panel holds 2 vectors of columns, row after row of k; the last panel is padded with zeros. Each sum is taken in the
// order of k by fused multiply-adds, whatever its microkernel call: a row of the result does not depend on other rows.
// Operands says what a row of k is, one value or two: see gemm_operands-inl.h.
#if defined(DHYAN_KERNELS_MICROKERNEL_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DHYAN_KERNELS_MICROKERNEL_INL_H
#undef DHYAN_KERNELS_MICROKERNEL_INL_H
#else
#define DHYAN_KERNELS_MICROKERNEL_INL_H
#endif

#include <algorithm>
#include <hwy/cache_control.h>

#include "kernels/gemm/gemm_operands-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {

// BLIS's m_R: two sums per row, the panel's two vectors and a broadcast factor must fit into registers.
#if HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM_A64
inline constexpr int kMicrokernelRows = 12;
#else
inline constexpr int kMicrokernelRows = 6;
#endif

HWY_INLINE Index panel_width() { return 2 * lanes(); }
HWY_INLINE Index panels_of(Index columns) { return (columns + panel_width() - 1) / panel_width(); }

template <class Operands>
HWY_INLINE Index cells_of(Index values) {
  return (values + Operands::kValuesPerCell - 1) / Operands::kValuesPerCell;
}

// A left operand: element (i,k) is at data[i * row_stride + k * k_stride].
template <class Cell>
struct StridedMatrix {
  const Cell* data;
  Index row_stride, k_stride;

  HWY_INLINE StridedMatrix from_row(Index i) const { return {data + i * row_stride, row_stride, k_stride}; }
  HWY_INLINE StridedMatrix from_column(Index k) const { return {data + k * k_stride, row_stride, k_stride}; }
};

// Two vectors of columns, one row of k every `stride` cells.
template <class Cell>
struct Panel {
  const Cell* data;
  Index stride;
};

HWY_INLINE StridedMatrix<Real> strided(const ConstMatrix& a) {
  return a.transposed ? StridedMatrix<Real>{a.data, 1, a.stride} : StridedMatrix<Real>{a.data, a.stride, 1};
}

// Stores both halves of each row's sums, one after the other. Compiled once per number of rows R, shared by all
// epilogues. Prefetches the memory behind this panel, which is the next panel if there is one.
template <class Operands, int R, class Cell = typename Operands::Cell>
HWY_NOINLINE void microkernel(Index cells, const StridedMatrix<Cell>& a, const Panel<Cell>& b,
                              Real* HWY_RESTRICT sums) {
  const hn::ScalableTag<Cell> d;
  V first[R], second[R];
#pragma GCC unroll 16
  for (int r = 0; r < R; ++r) first[r] = second[r] = hn::Zero(D());
  const Cell *at = a.data, *panel = b.data;
  for (Index k = 0; k < cells; ++k, at += a.k_stride, panel += b.stride) {
    const auto b0 = hn::LoadU(d, panel), b1 = hn::LoadU(d, panel + lanes());
    __builtin_prefetch(panel + cells * b.stride, 0, 2);
    if constexpr (2 * sizeof(V) > 64) __builtin_prefetch(panel + cells * b.stride + lanes(), 0, 2);  // the second line
#pragma GCC unroll 16
    for (int r = 0; r < R; ++r) {
      const auto factor = hn::Set(d, at[r * a.row_stride]);
      first[r] = Operands::add(first[r], factor, b0);
      second[r] = Operands::add(second[r], factor, b1);
    }
  }
#pragma GCC unroll 16
  for (int r = 0; r < R; ++r) {
    store(first[r], sums + r * panel_width());
    store(second[r], sums + r * panel_width() + lanes());
  }
}

// The same for a number of rows known at run time only.
template <class Operands, int R = kMicrokernelRows, class Cell = typename Operands::Cell>
HWY_INLINE void microkernel_for(Index rows, Index cells, const StridedMatrix<Cell>& a, const Panel<Cell>& panel,
                                Real* sums) {
  if constexpr (R > 1) {
    if (rows < R) return microkernel_for<Operands, R - 1>(rows, cells, a, panel, sums);
  }
  microkernel<Operands, R>(cells, a, panel, sums);
}

// All rows of one panel, in microkernel calls of nearly equal height. epilogue(row, first, second)
template <class Operands, class Epilogue, class Cell = typename Operands::Cell>
HWY_INLINE void gemm_panel(Index cells, const StridedMatrix<Cell>& a, const Panel<Cell>& panel, const Matrix& to,
                           const Epilogue& epilogue) {
  HWY_ALIGN Real sums[kMicrokernelRows * 2 * HWY_MAX_BYTES / sizeof(Real)];
  const Index M = to.rows, calls = (M + kMicrokernelRows - 1) / kMicrokernelRows;
  for (Index t = 0, begin = 0; t < calls; ++t) {
    const Index end = M * (t + 1) / calls;
    for (Index r = begin; r < end; ++r) {
      hwy::Prefetch(to.row(r));
      hwy::Prefetch(to.row(r) + panel_width() - 1);
    }
    microkernel_for<Operands>(end - begin, cells, a.from_row(begin), panel, sums);
    for (Index r = 0; r < end - begin; ++r) {
      epilogue(begin + r, load(sums + r * panel_width()), load(sums + r * panel_width() + lanes()));
    }
    begin = end;
  }
}

// All panels; each is read once per `chunk` rows. epilogue(row, column, columns, first, second)
struct PackedGemmSize {
  Index cells, chunk;
};

template <class Operands, class Epilogue, class Cell = typename Operands::Cell>
HWY_INLINE void gemm_packed_panels(const PackedGemmSize& size, const StridedMatrix<Cell>& a, const Cell* panels,
                                   const Matrix& to, const Epilogue& epilogue) {
  for (Index row = 0; row < to.rows; row += size.chunk) {
    const Index rows = std::min(size.chunk, to.rows - row);
    const Cell* panel = panels;
    for (Index begin = 0; begin < to.cols; begin += panel_width(), panel += size.cells * panel_width()) {
      const Index n = std::min(panel_width(), to.cols - begin);
      gemm_panel<Operands>(size.cells, a.from_row(row), {panel, panel_width()},
                           Matrix{to.row(row) + begin, rows, n, to.stride},
                           [&](Index r, V first, V second) HWY_ATTR { epilogue(row + r, begin, n, first, second); });
    }
  }
}

}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
