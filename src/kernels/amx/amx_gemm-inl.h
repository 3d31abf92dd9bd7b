// Float GEMM by AMX tiles, in bfloat16 or bf16x3; see amx_packing-inl.h. The sums of a row or column do not depend on
// the rows or columns beside it.
#if defined(DHYAN_KERNELS_AMX_GEMM_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DHYAN_KERNELS_AMX_GEMM_INL_H
#undef DHYAN_KERNELS_AMX_GEMM_INL_H
#else
#define DHYAN_KERNELS_AMX_GEMM_INL_H
#endif

#include "kernels/amx/amx_packing-inl.h"

#if DHYAN_TARGET_HAS_AMX

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {

// Whether to compute cᵀ = bᵀ aᵀ instead of c = a b.
enum class SwapOperands { kNo, kYes };

template <int kRowTiles>
HWY_INLINE void load_rows(const AmxCell* rows, Index row_tile) {
  amx::load<4>(rows, amx::kRowBytes);
  if constexpr (kRowTiles == 2) amx::load<5>(rows + row_tile, amx::kRowBytes);
}

HWY_INLINE void load_columns(const AmxCell* columns) {
  amx::load<6>(columns, amx::kRowBytes);
  amx::load<7>(columns + kTileCells, amx::kRowBytes);
}

template <int kRowTiles>
HWY_INLINE void multiply_tiles() {
  amx::dot_bfloat16<0, 4, 6>(), amx::dot_bfloat16<1, 4, 7>();
  if constexpr (kRowTiles == 2) amx::dot_bfloat16<2, 5, 6>(), amx::dot_bfloat16<3, 5, 7>();
}

// One or two row tiles times two column tiles, 32 values of k. bf16x3 adds the small products first; each step loads
// one operand anew. With swapped operands left and right change places, so that the order of the sums stays.
template <class Parts, int kRowTiles, SwapOperands kSwap>
HWY_INLINE void add_block(const AmxCell* rows, Index row_tile, const AmxCell* columns) {
  const auto left = [&](Index part) HWY_ATTR {
    kSwap == SwapOperands::kNo ? load_rows<kRowTiles>(rows + part * kTileCells, row_tile)
                               : load_columns(columns + part * 2 * kTileCells);
  };
  const auto right = [&](Index part) HWY_ATTR {
    kSwap == SwapOperands::kNo ? load_columns(columns + part * 2 * kTileCells)
                               : load_rows<kRowTiles>(rows + part * kTileCells, row_tile);
  };
  if constexpr (Parts::kParts == 1) {
    left(0), right(0), multiply_tiles<kRowTiles>();
  } else {
    left(2), right(0), multiply_tiles<kRowTiles>();  // l h
    left(1), multiply_tiles<kRowTiles>();            // m h
    right(1), multiply_tiles<kRowTiles>();           // m m
    left(0), multiply_tiles<kRowTiles>();            // h m
    right(2), multiply_tiles<kRowTiles>();           // h l
    right(0), multiply_tiles<kRowTiles>();           // h h
  }
}

// Sums as [row tiles,2,16,16].
template <int kRowTiles>
HWY_INLINE void store_sums(Real* sums) {
  amx::store<0>(sums, amx::kRowBytes), amx::store<1>(sums + kTileCells, amx::kRowBytes);
  if constexpr (kRowTiles == 2) {
    amx::store<2>(sums + 2 * kTileCells, amx::kRowBytes), amx::store<3>(sums + 3 * kTileCells, amx::kRowBytes);
  }
}

struct AmxGemmSize {
  Index rows, columns, K;
};

// The last sums, whose epilogue runs in small steps while the next sums are computed.
struct PendingSums {
  Index row = 0, rows = 0, column = 0, columns = 0;
  Real* sums = nullptr;

  // Runs the part `step` of `steps` of the epilogue.
  template <SwapOperands kSwap, class Epilogue>
  HWY_INLINE void apply(const Epilogue& epilogue, Index step = 0, Index steps = 1) const {
    if constexpr (kSwap == SwapOperands::kNo) {
      for (Index r = rows * step / steps; r < rows * (step + 1) / steps; ++r) {
        const Real* at = sums + (r - r % kTileRows) * 2 * kTileRows + r % kTileRows * kTileRows;
        epilogue(row + r, column, columns, load(at), load(at + kTileCells));
      }
    } else {
      const Index stored = rows == 0 ? 0 : rows > kTileRows ? 4 : 2;
      for (Index i = 0; step == 0 && i < stored; ++i) transpose_tile(sums + i * kTileCells);
      for (Index j = columns * step / steps; j < columns * (step + 1) / steps; ++j) {
        const Real* at = sums + j * kTileRows;
        epilogue(column + j, row, rows, load(at), load(at + 2 * kTileCells));
      }
    }
  }
};

// Up to 32 rows times one panel; calls interleave(step, steps) after each block of k.
template <class Parts, int kRowTiles, SwapOperands kSwap, class Interleave>
HWY_INLINE void add_tiles(Index blocks, const AmxCell* rows, const AmxCell* panel, const Interleave& interleave) {
  const Index row_tile = blocks * Parts::kParts * kTileCells;
  amx::zero<0>(), amx::zero<1>();
  if constexpr (kRowTiles == 2) amx::zero<2>(), amx::zero<3>();
  for (Index i = 0; i < blocks; ++i, rows += Parts::kParts * kTileCells, panel += 2 * Parts::kParts * kTileCells) {
    add_block<Parts, kRowTiles, kSwap>(rows, row_tile, panel);
    interleave(i, blocks);
  }
}

struct NoInterleave {
  HWY_INLINE void operator()(Index, Index) const {}
};

// All rows and panels. Rows are read again for each panel and should stay in a cache.
// epilogue(row, column, columns, first, second) is called with the result's rows and columns, also if operands are
// swapped. Between AMX instructions, which take long, it calls interleave(step, steps) for other work.
template <class Parts, SwapOperands kSwap = SwapOperands::kNo, class Epilogue, class Interleave = NoInterleave>
HWY_INLINE void gemm_amx_tiles(const AmxGemmSize& size, const AmxCell* rows, const AmxCell* panels,
                               const Epilogue epilogue, const Interleave interleave = {}) {
  HWY_ALIGN Real sums[2][4 * kTileCells];
  const Index blocks = blocks_of(size.K), row_tile = blocks * Parts::kParts * kTileCells, pair = 2 * kTileRows;
  const Index steps = (size.rows + pair - 1) / pair * ((size.columns + pair - 1) / pair) * blocks;
  const amx::TileSession session(std::min(size.rows, kTileRows));
  PendingSums pending;
  Index step = 0;
  const auto interleaved = [&](Index i, Index of) HWY_ATTR {
    pending.apply<kSwap>(epilogue, i, of);
    interleave(step++, steps);
  };
  int buffer = 0;
  for (Index column = 0; column < size.columns; column += pair, panels += 2 * row_tile) {
    for (Index row = 0; row < size.rows; row += pair, buffer ^= 1) {
      const Index height = std::min(pair, size.rows - row);
      const AmxCell* row_tiles = rows + row / kTileRows * row_tile;
      if (height > kTileRows) {
        add_tiles<Parts, 2, kSwap>(blocks, row_tiles, panels, interleaved);
        store_sums<2>(sums[buffer]);
      } else {
        add_tiles<Parts, 1, kSwap>(blocks, row_tiles, panels, interleaved);
        store_sums<1>(sums[buffer]);
      }
      pending = {row, height, column, std::min(pair, size.columns - column), sums[buffer]};
    }
  }
  pending.apply<kSwap>(epilogue);
}

// Packed rows of a chunk stay in the L2 cache.
constexpr Index kAmxChunkCells = 262144;  // cells

template <class Parts>
HWY_INLINE Index amx_chunk_rows(Index K) {
  return std::max<Index>(1, kAmxChunkCells / row_tile_cells<Parts>(2 * kTileRows, K)) * 2 * kTileRows;
}

template <class Parts>
HWY_INLINE Index amx_chunk_cells(Index K) {
  return std::max(kAmxChunkCells, row_tile_cells<Parts>(2 * kTileRows, K));
}

// Calls f with the parts of a precision if AMX multiplies it on this machine; returns whether it does.
template <class F>
HWY_INLINE bool dispatch_amx(Precision precision, const F& f) {
  if (precision == Precision::kFull || !has_amx()) return false;
  precision == Precision::kBfloat16 ? f(Bfloat16Parts()) : f(Bfloat16x3Parts());
  return true;
}

}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // DHYAN_TARGET_HAS_AMX
#endif  // per-target include guard
