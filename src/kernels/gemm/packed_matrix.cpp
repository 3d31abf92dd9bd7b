#include "kernels/gemm/packed_matrix.h"

#include "kernels/gemm/column_partition.h"
#include "kernels/gemm/scratch_buffer.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/gemm/packed_matrix.cpp"
#include <hwy/foreach_target.h>

#include "kernels/amx/amx_gemm-inl.h"
#include "kernels/gemm/epilogue-inl.h"
#include "kernels/gemm/pack-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {
namespace {

// Size in Reals; a cell is not larger than a Real.
Index packed_size(Index inner, Index columns, Precision precision) {
  Index cells = 0;
#if DHYAN_TARGET_HAS_AMX
  const auto with_amx = [&](auto parts) HWY_ATTR { cells = column_tile_cells<decltype(parts)>(columns, inner); };
  if (dispatch_amx(precision, with_amx)) return cells;
#endif
  dispatch_operands(precision, [&](auto operands) HWY_ATTR { cells = cells_of<decltype(operands)>(inner); });
  return panels_of(columns) * cells * panel_width();
}

void pack_all(ConstMatrix w, Precision precision, Real* to) {
#if DHYAN_TARGET_HAS_AMX
  const auto with_amx = [&](auto parts) HWY_ATTR {
    pack_column_tiles<decltype(parts)>(strided(w.t()), w.n(), w.m(), reinterpret_cast<AmxCell*>(to));
  };
  if (dispatch_amx(precision, with_amx)) return;
#endif
  dispatch_operands(precision, [&](auto operands) HWY_ATTR {
    using Operands = decltype(operands);
    pack<Operands>(w, {0, w.m(), 0, w.n()}, reinterpret_cast<typename Operands::Cell*>(to));
  });
}

// A chunk of rows stays in the L2 cache, and each panel is read once per chunk.
constexpr Index kChunkValues = 98304;  // Reals

Index chunk_rows(Index inner) {
  return std::max<Index>(kMicrokernelRows, kChunkValues / (inner + kRowPadding) / kMicrokernelRows * kMicrokernelRows);
}

#if DHYAN_TARGET_HAS_AMX

template <class Parts>
void multiply_packed_amx(const ConstMatrix& x, const AmxCell* panels, const RowEpilogue& epilogue, AmxCell* buffer) {
  const Index chunk = amx_chunk_rows<Parts>(x.cols);
  for (Index row = 0; row < x.rows; row += chunk) {
    const Index rows = std::min(chunk, x.rows - row);
    PackRowTiles<Parts>{strided(x).from_row(row), rows, x.cols, buffer}(0, 1);
    gemm_amx_tiles<Parts>({rows, epilogue.y.cols, x.cols}, buffer, panels,
                          [=](Index r, Index begin, Index n, V first, V second)
                              HWY_ATTR { epilogue(row + r, begin, n, first, second); });
  }
}

#endif  // DHYAN_TARGET_HAS_AMX

// Size of the buffer for a chunk's packed rows; the same for all but very wide weights.
Index left_buffer_size(Index inner) {
  Index cells = std::max(kChunkValues, chunk_rows(inner) * (inner + kRowPadding));
#if DHYAN_TARGET_HAS_AMX
  if (has_amx()) cells = std::max(cells, amx_chunk_cells<Bfloat16x3Parts>(inner));
#endif
  return cells;
}

bool packs_left(const ConstMatrix& x, Precision precision) {
#if DHYAN_TARGET_HAS_AMX
  if (dispatch_amx(precision, [](auto) {})) return true;
#endif
  bool unpacked = true;
  dispatch_operands(precision, [&](auto operands) { unpacked = decltype(operands)::kReadsUnpacked; });
  return !unpacked || has_cache_conflicts(x);
}

// Without a buffer, reads rows unpacked.
template <class Operands, class Cell = typename Operands::Cell>
void multiply_packed_operands(const ConstMatrix& x, const Cell* panels, const RowEpilogue& epilogue, Cell* buffer) {
  const Matrix& y = epilogue.y;
  const Index chunk = chunk_rows(x.cols);
  for (Index row = 0; row < x.rows; row += chunk) {
    const Index rows = std::min(chunk, x.rows - row);
    StridedMatrix<Cell> left{};
    if (buffer != nullptr) {
      left = pack_left_rows<Operands>(strided(x).from_row(row), rows, x.cols, buffer);
    } else if constexpr (Operands::kReadsUnpacked) {
      left = strided(x).from_row(row);
    }
    gemm_packed_panels<Operands>(
        {cells_of<Operands>(x.cols), rows}, left, panels, Matrix{y.row(row), rows, y.cols, y.stride},
        [&](Index r, Index begin, Index n, V first, V second) HWY_ATTR { epilogue(row + r, begin, n, first, second); });
  }
}

void multiply_packed(ConstMatrix x, const PackedPanels& w, const Real* bias, Matrix y, Real beta, Real* buffer) {
#if DHYAN_TARGET_HAS_AMX
  const auto with_amx = [&](auto parts) HWY_ATTR {
    multiply_packed_amx<decltype(parts)>(x, reinterpret_cast<const AmxCell*>(w.data), RowEpilogue{bias, y, beta},
                                         reinterpret_cast<AmxCell*>(buffer));
  };
  if (dispatch_amx(w.precision, with_amx)) return;
#endif
  dispatch_operands(w.precision, [&](auto operands) HWY_ATTR {
    using Operands = decltype(operands);
    using Cell = typename Operands::Cell;
    multiply_packed_operands<Operands>(x, reinterpret_cast<const Cell*>(w.data), RowEpilogue{bias, y, beta},
                                       reinterpret_cast<Cell*>(buffer));
  });
}

}  // namespace
}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dhyan::kernels {

HWY_EXPORT(packed_size);
HWY_EXPORT(pack_all);
HWY_EXPORT(left_buffer_size);
HWY_EXPORT(packs_left);
HWY_EXPORT(multiply_packed);
HWY_EXPORT(panel_width);

Index packed_panels_size(ConstMatrix w, Precision precision) {
  return HWY_DYNAMIC_DISPATCH(packed_size)(w.m(), w.n(), precision);
}

PackedPanels pack_panels(ConstMatrix w, Precision precision, Real* to) {
  HWY_DYNAMIC_DISPATCH(pack_all)(w, precision, to);
  return {to, w.m(), w.n(), precision};
}

void multiply_panels(ConstMatrix x, const PackedPanels& w, std::span<const Real> bias, Matrix y, Real beta) {
  check_packed_gemm_shapes(x, w.inner, w.columns, bias, y);
  thread_local ScratchBuffer chunk;  // packed rows of x
  const bool packs = HWY_DYNAMIC_DISPATCH(packs_left)(x, w.precision);
  Real* buffer = packs ? chunk.reserve(HWY_DYNAMIC_DISPATCH(left_buffer_size)(x.cols)) : nullptr;
  HWY_DYNAMIC_DISPATCH(multiply_packed)(x, w, data_or_null(bias), y, beta, buffer);
}

PackedMatrix::PackedMatrix(ConstMatrix w, Precision precision, IntraOpThreads* intra_op)
    : values_(Tensor::uninitialized({packed_panels_size(w, precision)})),
      panels_{values_.data(), w.m(), w.n(), precision} {
  partition_columns({.weights = w.m() * w.n()}, intra_op, [&](const ColumnPartition& partition) {
    const ColumnRange range = columns_of(partition, w.n(), HWY_DYNAMIC_DISPATCH(panel_width)());
    pack_panels(w.columns(range.begin, range.size), precision, values_.data() + panel_offset(range.begin));
  });
}

void PackedMatrix::multiply_partition(ConstMatrix x, std::span<const Real> bias, Matrix y,
                                      const ColumnPartition& partition) const {
  check_packed_gemm_shapes(x, panels_.inner, panels_.columns, bias, y);
  const ColumnRange range = columns_of(partition, panels_.columns, HWY_DYNAMIC_DISPATCH(panel_width)());
  multiply_panels(x, {panels_.data + panel_offset(range.begin), panels_.inner, range.size, panels_.precision},
                  bias_of(bias, range), y.columns(range.begin, range.size));
}

Index PackedMatrix::panel_offset(Index column) const {
  return HWY_DYNAMIC_DISPATCH(packed_size)(panels_.inner, column, panels_.precision);
}

}  // namespace dhyan::kernels
#endif  // HWY_ONCE
