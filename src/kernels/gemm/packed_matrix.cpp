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

// In Reals; a cell is no larger than one.
Index packed_size(Index inner, Index columns, Precision precision) {
  Index cells = 0;
#if DHYAN_TARGET_HAS_AMX
  const auto tiled = [&](auto parts) HWY_ATTR { cells = column_tile_cells<decltype(parts)>(columns, inner); };
  if (with_parts(precision, tiled)) return cells;
#endif
  with_operands(precision, [&](auto values) HWY_ATTR { cells = cells_of<decltype(values)>(inner); });
  return panels_of(columns) * cells * panel_width();
}

void pack_all(ConstMatrix w, Precision precision, Real* to) {
#if DHYAN_TARGET_HAS_AMX
  const auto tiled = [&](auto parts) HWY_ATTR {
    pack_column_tiles<decltype(parts)>(factors_of(w.t()), w.n(), w.m(), reinterpret_cast<TileCell*>(to));
  };
  if (with_parts(precision, tiled)) return;
#endif
  with_operands(precision, [&](auto values) HWY_ATTR {
    using Operands = decltype(values);
    pack<Operands>(w, {0, w.m(), 0, w.n()}, reinterpret_cast<typename Operands::Cell*>(to));
  });
}

// A chunk of rows stays in the second-level cache, and each panel is read once for it.
constexpr Index kChunkOfRows = 98304;  // Reals

Index chunk_of(Index inner) {
  return std::max<Index>(kMicrokernelRows, kChunkOfRows / (inner + kApart) / kMicrokernelRows * kMicrokernelRows);
}

#if DHYAN_TARGET_HAS_AMX

template <class Parts>
void multiply_tiled(const ConstMatrix& x, const TileCell* panels, const RowEpilogue& finish, TileCell* buffer) {
  const Index chunk = tiled_chunk<Parts>(x.cols);
  for (Index row = 0; row < x.rows; row += chunk) {
    const Index rows = std::min(chunk, x.rows - row);
    RowTiles<Parts>{factors_of(x).from_row(row), rows, x.cols, buffer}(0, 1);
    tile_product<Parts>({rows, finish.y.cols, x.cols}, buffer, panels,
                        [=](Index r, Index begin, Index n, V first, V second)
                            HWY_ATTR { finish(row + r, begin, n, first, second); });
  }
}

#endif  // tiles

// Of a copy of a chunk's rows, of one size for all but very wide weights.
Index copy_size(Index inner) {
  Index cells = std::max(kChunkOfRows, chunk_of(inner) * (inner + kApart));
#if DHYAN_TARGET_HAS_AMX
  if (has_amx()) cells = std::max(cells, tiled_chunk_cells<ThreeParts>(inner));
#endif
  return cells;
}

bool is_copied(const ConstMatrix& x, Precision precision) {
#if DHYAN_TARGET_HAS_AMX
  if (with_parts(precision, [](auto) {})) return true;
#endif
  bool as_stored = true;
  with_operands(precision, [&](auto values) { as_stored = decltype(values)::kAsStored; });
  return !as_stored || far_apart(x);
}

// Without a buffer rows are read where they lie.
template <class Operands, class Cell = typename Operands::Cell>
void multiply_packed_operands(const ConstMatrix& x, const Cell* panels, const RowEpilogue& finish, Cell* buffer) {
  const Matrix& y = finish.y;
  const Index chunk = chunk_of(x.cols);
  for (Index row = 0; row < x.rows; row += chunk) {
    const Index rows = std::min(chunk, x.rows - row);
    Factors<Cell> factors{};
    if (buffer != nullptr) {
      factors = copy_rows<Operands>(factors_of(x).from_row(row), rows, x.cols, buffer);
    } else if constexpr (Operands::kAsStored) {
      factors = factors_of(x).from_row(row);
    }
    packed_product<Operands>(
        {cells_of<Operands>(x.cols), rows}, factors, panels, Matrix{y.row(row), rows, y.cols, y.stride},
        [&](Index r, Index begin, Index n, V first, V second) HWY_ATTR { finish(row + r, begin, n, first, second); });
  }
}

void multiply_packed(ConstMatrix x, const PackedPanels& w, const Real* bias, Matrix y, Real before, Real* buffer) {
#if DHYAN_TARGET_HAS_AMX
  const auto tiled = [&](auto parts) HWY_ATTR {
    multiply_tiled<decltype(parts)>(x, reinterpret_cast<const TileCell*>(w.data), RowEpilogue{bias, y, before},
                                    reinterpret_cast<TileCell*>(buffer));
  };
  if (with_parts(w.precision, tiled)) return;
#endif
  with_operands(w.precision, [&](auto values) HWY_ATTR {
    using Operands = decltype(values);
    using Cell = typename Operands::Cell;
    multiply_packed_operands<Operands>(x, reinterpret_cast<const Cell*>(w.data), RowEpilogue{bias, y, before},
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
HWY_EXPORT(copy_size);
HWY_EXPORT(is_copied);
HWY_EXPORT(multiply_packed);
HWY_EXPORT(panel_width);

Index packed_count(ConstMatrix w, Precision precision) {
  return HWY_DYNAMIC_DISPATCH(packed_size)(w.m(), w.n(), precision);
}

PackedPanels pack_panels(ConstMatrix w, Precision precision, Real* to) {
  HWY_DYNAMIC_DISPATCH(pack_all)(w, precision, to);
  return {to, w.m(), w.n(), precision};
}

void multiply_panels(ConstMatrix x, const PackedPanels& w, std::span<const Real> bias, Matrix y, Real before) {
  expect_product(x, w.inner, w.columns, bias, y);
  thread_local ScratchBuffer chunk;  // of rows that are copied
  const bool copied = HWY_DYNAMIC_DISPATCH(is_copied)(x, w.precision);
  Real* buffer = copied ? chunk.room(HWY_DYNAMIC_DISPATCH(copy_size)(x.cols)) : nullptr;
  HWY_DYNAMIC_DISPATCH(multiply_packed)(x, w, data_or_null(bias), y, before, buffer);
}

PackedMatrix::PackedMatrix(ConstMatrix w, Precision precision, IntraOpThreads* intra_op)
    : values_(Tensor::zeros({packed_count(w, precision)})), panels_{values_.data(), w.m(), w.n(), precision} {
  partition_columns({.weights = w.m() * w.n()}, intra_op, [&](const ColumnPartition& partition) {
    const ColumnRange some = columns_of(partition, w.n(), HWY_DYNAMIC_DISPATCH(panel_width)());
    pack_panels(w.columns(some.begin, some.size), precision, values_.data() + place_of(some.begin));
  });
}

void PackedMatrix::multiply_partition(ConstMatrix x, std::span<const Real> bias, Matrix y,
                                      const ColumnPartition& partition) const {
  expect_product(x, panels_.inner, panels_.columns, bias, y);
  const ColumnRange some = columns_of(partition, panels_.columns, HWY_DYNAMIC_DISPATCH(panel_width)());
  multiply_panels(x, {panels_.data + place_of(some.begin), panels_.inner, some.size, panels_.precision},
                  some_of(bias, some), y.columns(some.begin, some.size));
}

Index PackedMatrix::place_of(Index column) const {
  return HWY_DYNAMIC_DISPATCH(packed_size)(panels_.inner, column, panels_.precision);
}

}  // namespace dhyan::kernels
#endif  // HWY_ONCE
