// Products of floats by the machine's own tiles; see amx_packing-inl.h. Which rows or columns stand beside a row or a
// column changes nothing about its sums.
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

// Of what is multiplied: as it is, or both operands transposed and changed over, which gives the product transposed.
enum class Mirror { kNo, kYes };

template <int RowTiles>
HWY_INLINE void load_rows(const TileCell* rows, Index row_tile) {
  amx::load<4>(rows, amx::kRowBytes);
  if constexpr (RowTiles == 2) amx::load<5>(rows + row_tile, amx::kRowBytes);
}

HWY_INLINE void load_columns(const TileCell* columns) {
  amx::load<6>(columns, amx::kRowBytes);
  amx::load<7>(columns + kTileCells, amx::kRowBytes);
}

template <int RowTiles>
HWY_INLINE void add_products() {
  amx::add_bfloat16<0, 4, 6>(), amx::add_bfloat16<1, 4, 7>();
  if constexpr (RowTiles == 2) amx::add_bfloat16<2, 5, 6>(), amx::add_bfloat16<3, 5, 7>();
}

// Both tiles of rows, or one, with both of columns. Of three parts what is small comes first, and each time only one
// side is another; in a mirror it is the other one.
template <class Parts, int RowTiles, Mirror kMirror>
HWY_INLINE void add_block(const TileCell* rows, Index row_tile, const TileCell* columns) {
  const auto left = [&](Index part) HWY_ATTR {
    kMirror == Mirror::kNo ? load_rows<RowTiles>(rows + part * kTileCells, row_tile)
                           : load_columns(columns + part * 2 * kTileCells);
  };
  const auto right = [&](Index part) HWY_ATTR {
    kMirror == Mirror::kNo ? load_columns(columns + part * 2 * kTileCells)
                           : load_rows<RowTiles>(rows + part * kTileCells, row_tile);
  };
  if constexpr (Parts::kParts == 1) {
    left(0), right(0), add_products<RowTiles>();
  } else {
    left(2), right(0), add_products<RowTiles>();  // l h
    left(1), add_products<RowTiles>();            // m h
    right(1), add_products<RowTiles>();           // m m
    left(0), add_products<RowTiles>();            // h m
    right(2), add_products<RowTiles>();           // h l
    right(0), add_products<RowTiles>();           // h h
  }
}

// Tile after tile: [row tiles,2,16,16].
template <int RowTiles>
HWY_INLINE void store_sums(Real* sums) {
  amx::store<0>(sums, amx::kRowBytes), amx::store<1>(sums + kTileCells, amx::kRowBytes);
  if constexpr (RowTiles == 2) {
    amx::store<2>(sums + 2 * kTileCells, amx::kRowBytes), amx::store<3>(sums + 3 * kTileCells, amx::kRowBytes);
  }
}

struct TileProductSize {
  Index rows, columns, K;
};

// What was summed up last, to be finished little by little while the next sums are under way.
struct PendingSums {
  Index row = 0, rows = 0, column = 0, columns = 0;
  Real* sums = nullptr;

  // Step `step` of so many.
  template <Mirror kMirror, class Epilogue>
  HWY_INLINE void finish_by(const Epilogue& finish, Index step = 0, Index steps = 1) const {
    if constexpr (kMirror == Mirror::kNo) {
      for (Index r = rows * step / steps; r < rows * (step + 1) / steps; ++r) {
        const Real* at = sums + (r - r % kLines) * 2 * kLines + r % kLines * kLines;
        finish(row + r, column, columns, load(at), load(at + kTileCells));
      }
    } else {
      const Index stored = rows == 0 ? 0 : rows > kLines ? 4 : 2;
      for (Index i = 0; step == 0 && i < stored; ++i) transpose_tile(sums + i * kTileCells);
      for (Index j = columns * step / steps; j < columns * (step + 1) / steps; ++j) {
        const Real* at = sums + j * kLines;
        finish(column + j, row, rows, load(at), load(at + 2 * kTileCells));
      }
    }
  }
};

// Up to 32 rows and a panel, and other work after each stretch of k: beside(stretch, stretches)
template <class Parts, int RowTiles, Mirror kMirror, class Beside>
HWY_INLINE void add_tiles(Index blocks, const TileCell* rows, const TileCell* panel, const Beside& beside) {
  const Index row_tile = blocks * Parts::kParts * kTileCells;
  amx::zero<0>(), amx::zero<1>();
  if constexpr (RowTiles == 2) amx::zero<2>(), amx::zero<3>();
  for (Index i = 0; i < blocks; ++i, rows += Parts::kParts * kTileCells, panel += 2 * Parts::kParts * kTileCells) {
    add_block<Parts, RowTiles, kMirror>(rows, row_tile, panel);
    beside(i, blocks);
  }
}

struct NothingBeside {
  HWY_INLINE void operator()(Index, Index) const {}
};

// All rows and panels. Rows are read again for each panel, and should be few enough to stay in a cache.
// finish(row, column, columns, first, second) of the product, which in a mirror has columns for rows. While tiles are
// multiplied other work is done in small steps: beside(step, steps)
template <class Parts, Mirror kMirror = Mirror::kNo, class Epilogue, class Beside = NothingBeside>
HWY_INLINE void tile_product(const TileProductSize& size, const TileCell* rows, const TileCell* panels,
                             const Epilogue finish, const Beside beside = {}) {
  HWY_ALIGN Real sums[2][4 * kTileCells];
  const Index blocks = blocks_of(size.K), row_tile = blocks * Parts::kParts * kTileCells, pair = 2 * kLines;
  const Index steps = (size.rows + pair - 1) / pair * ((size.columns + pair - 1) / pair) * blocks;
  const amx::Session session(std::min(size.rows, kLines));
  PendingSums pending;
  Index step = 0;
  const auto meanwhile = [&](Index i, Index of) HWY_ATTR {
    pending.finish_by<kMirror>(finish, i, of);
    beside(step++, steps);
  };
  int turn = 0;
  for (Index column = 0; column < size.columns; column += pair, panels += 2 * row_tile) {
    for (Index row = 0; row < size.rows; row += pair, turn ^= 1) {
      const Index there = std::min(pair, size.rows - row);
      const TileCell* some = rows + row / kLines * row_tile;
      if (there > kLines) {
        add_tiles<Parts, 2, kMirror>(blocks, some, panels, meanwhile);
        store_sums<2>(sums[turn]);
      } else {
        add_tiles<Parts, 1, kMirror>(blocks, some, panels, meanwhile);
        store_sums<1>(sums[turn]);
      }
      pending = {row, there, column, std::min(pair, size.columns - column), sums[turn]};
    }
  }
  pending.finish_by<kMirror>(finish);
}

// Rows of which tiles are made at a time: as many as stay in the second-level cache.
constexpr Index kTiledChunk = 262144;  // cells

template <class Parts>
HWY_INLINE Index tiled_chunk(Index K) {
  return std::max<Index>(1, kTiledChunk / row_tile_cells<Parts>(2 * kLines, K)) * 2 * kLines;
}

template <class Parts>
HWY_INLINE Index tiled_chunk_cells(Index K) {
  return std::max(kTiledChunk, row_tile_cells<Parts>(2 * kLines, K));
}

// f(parts) if values of this precision are multiplied by tiles here; whether they are.
template <class F>
HWY_INLINE bool with_parts(Precision precision, const F& f) {
  if (precision == Precision::kFull || !has_amx()) return false;
  precision == Precision::kBfloat16 ? f(RoundedParts()) : f(ThreeParts());
  return true;
}

}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // tiles
#endif  // per-target include guard
