// Floats as the machine's own tiles (amx.h) read them, which multiply bfloat16: a number is rounded to one of these,
// or taken apart into three that add up to it. Compiled for AVX-512 alone, which every machine with tiles has.
//
// A cell is two values that are 16 apart along k; a tile 16 lines (rows of the left operand, columns of the right one)
// of 16 cells.
#if defined(DHYAN_KERNELS_AMX_PACKING_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DHYAN_KERNELS_AMX_PACKING_INL_H
#undef DHYAN_KERNELS_AMX_PACKING_INL_H
#else
#define DHYAN_KERNELS_AMX_PACKING_INL_H
#endif

#include "kernels/amx/amx.h"
#include "kernels/gemm/pack-inl.h"

#if DHYAN_TARGET_HAS_AMX

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {

using TileCell = std::uint32_t;
using VCells = hn::Vec<hn::ScalableTag<TileCell>>;

constexpr Index kLines = amx::kRows, kTileCells = kLines * kLines;
constexpr Index kTileDepth = 2 * kLines;  // values along k

struct RoundedParts {
  static constexpr int kParts = 1;

  static HWY_INLINE void cells(V first, V second, VCells (&to)[kParts]) {
    to[0] = Bfloat16DotOperands::across(first, second);
  }
};

// x = h + m + l, the upper 8 bits of it, the next 8 and the last 8, none of which is rounded. Of the nine products of
// parts the three that are less than 2^-21 of the whole are left out.
struct ThreeParts {
  static constexpr int kParts = 3;

  static HWY_INLINE void cells(V first, V second, VCells (&to)[kParts]) {
    for (int part = 0; part < kParts; ++part) {
      const hn::Repartition<std::uint16_t, hn::ScalableTag<TileCell>> halves;
      const hn::ScalableTag<TileCell> d;
      const VCells bits = hn::BitCast(d, first), next = hn::BitCast(d, second);
      to[part] = hn::BitCast(d, hn::OddEven(hn::BitCast(halves, next), hn::BitCast(halves, hn::ShiftRight<16>(bits))));
      const VCells upper = hn::Set(d, TileCell{0xffff0000});
      first = hn::Sub(first, hn::BitCast(D(), hn::And(bits, upper)));
      second = hn::Sub(second, hn::BitCast(D(), hn::And(next, upper)));
    }
  }
};

HWY_INLINE Index blocks_of(Index K) { return (K + kTileDepth - 1) / kTileDepth; }

// Of so many rows, and of so many columns, of which whole tiles and whole panels are taken.
template <class Parts>
HWY_INLINE Index row_tile_cells(Index rows, Index K) {
  return (rows + kLines - 1) / kLines * blocks_of(K) * Parts::kParts * kTileCells;
}

template <class Parts>
HWY_INLINE Index column_tile_cells(Index columns, Index K) {
  return (columns + 2 * kLines - 1) / (2 * kLines) * 2 * blocks_of(K) * Parts::kParts * kTileCells;
}

// 16 rows of 16 values of 32 bits.
template <class Number>
inline void transpose_tile(Number* tile) {
  __m512i a[16], b[16];
#pragma GCC unroll 16
  for (int i = 0; i < 16; ++i) a[i] = _mm512_loadu_si512(tile + i * kLines);
#pragma GCC unroll 8
  for (int i = 0; i < 16; i += 2) {
    b[i] = _mm512_unpacklo_epi32(a[i], a[i + 1]), b[i + 1] = _mm512_unpackhi_epi32(a[i], a[i + 1]);
  }
#pragma GCC unroll 8
  for (int i = 0; i < 16; i += 4) {
    a[i] = _mm512_unpacklo_epi64(b[i], b[i + 2]), a[i + 1] = _mm512_unpackhi_epi64(b[i], b[i + 2]);
    a[i + 2] = _mm512_unpacklo_epi64(b[i + 1], b[i + 3]), a[i + 3] = _mm512_unpackhi_epi64(b[i + 1], b[i + 3]);
  }
#pragma GCC unroll 8
  for (int i = 0; i < 4; ++i) {
    b[i] = _mm512_shuffle_i32x4(a[i], a[i + 4], 0x88), b[i + 4] = _mm512_shuffle_i32x4(a[i], a[i + 4], 0xdd);
    b[i + 8] = _mm512_shuffle_i32x4(a[i + 8], a[i + 12], 0x88);
    b[i + 12] = _mm512_shuffle_i32x4(a[i + 8], a[i + 12], 0xdd);
  }
#pragma GCC unroll 8
  for (int i = 0; i < 8; ++i) {
    _mm512_storeu_si512(tile + i * kLines, _mm512_shuffle_i32x4(b[i], b[i + 8], 0x88));
    _mm512_storeu_si512(tile + (i + 8) * kLines, _mm512_shuffle_i32x4(b[i], b[i + 8], 0xdd));
  }
}

HWY_INLINE V load_at_most(const Real* from, Index n) {
  return n >= lanes() ? load(from) : n > 0 ? load_some(from, n) : hn::Zero(D());
}

// One row of cells of each part, the parts `apart` cells from each other.
template <class Parts>
HWY_INLINE void store_cells(V first, V second, Index apart, TileCell* to) {
  VCells cells[Parts::kParts];
  Parts::cells(first, second, cells);
  for (int part = 0; part < Parts::kParts; ++part) {
    hn::StoreU(cells[part], hn::ScalableTag<TileCell>(), to + part * apart);
  }
}

// Whether a tile has its lines as rows, as those of the left operand, or as columns.
enum class TileSide { kRows, kColumns };

// The lines of a tile, or what is beside each other of all of them, one by one.
template <class Parts>
HWY_INLINE void pack_whole_tile(const Real* from, Index apart_in_memory, Index to_second, Index apart, TileCell* to) {
#pragma GCC unroll 2
  for (Index i = 0; i < kLines; ++i, from += apart_in_memory, to += kLines) {
    store_cells<Parts>(load(from), load(from + to_second), apart, to);
  }
}

// The same with zeros for what is not there.
template <class Parts>
HWY_INLINE void pack_part_of_tile(const Factors<Real>& of, Index lines, Index K, Index apart, TileCell* to) {
  for (Index i = 0; i < kLines; ++i) {
    V first = hn::Zero(D()), second = first;
    if (of.step == 1 && i < lines) {
      first = load_at_most(of.data + i * of.row, K);
      second = load_at_most(of.data + i * of.row + kLines, K - kLines);
    } else if (of.step != 1) {
      if (i < K) first = load_at_most(of.data + i * of.step, lines);
      if (i + kLines < K) second = load_at_most(of.data + (i + kLines) * of.step, lines);
    }
    store_cells<Parts>(first, second, apart, to + i * kLines);
  }
}

// A tile of each part. Element (line, k) is at of.data[line * of.row + k * of.step].
template <class Parts, TileSide kSide>
HWY_INLINE void pack_tile(const Factors<Real>& of, Index lines, Index K, Index apart, TileCell* to) {
  const bool along = of.step == 1;
  if (lines < kLines || K < kTileDepth) {
    pack_part_of_tile<Parts>(of, lines, K, apart, to);
  } else {
    pack_whole_tile<Parts>(of.data, along ? of.row : of.step, along ? kLines : kLines * of.step, apart, to);
  }
  if (along == (kSide == TileSide::kRows)) return;
  for (int part = 0; part < Parts::kParts; ++part) transpose_tile(to + part * apart);
}

// Tiles of 16 rows after each other, each [blocks,parts].
template <class Parts>
struct RowTiles {
  Factors<Real> rows;
  Index count, K;
  TileCell* to;

  // Part `step` of so many of all tiles.
  HWY_INLINE void operator()(Index step, Index steps) const {
    const Index blocks = blocks_of(K), tiles = (count + kLines - 1) / kLines * blocks;
    for (Index t = tiles * step / steps; t < tiles * (step + 1) / steps; ++t) {
      const Index row = t / blocks * kLines, k = t % blocks * kTileDepth;
      pack_tile<Parts, TileSide::kRows>(rows.from_row(row).from_column(k), count - row, K - k, kTileCells,
                                        to + t * Parts::kParts * kTileCells);
    }
  }
};

// Panels of 32 columns after each other, each [blocks,parts,2] tiles. The columns are the lines of the transposed
// operand.
template <class Parts>
inline void pack_column_tiles(const Factors<Real>& columns, Index count, Index K, TileCell* to) {
  for (Index j = 0; j < count; j += 2 * kLines) {
    for (Index k = 0; k < K; k += kTileDepth, to += 2 * Parts::kParts * kTileCells) {
      for (const Index half : {Index{0}, kLines}) {
        const Factors<Real> lines = columns.from_row(j + half).from_column(k);
        const Index there = std::max<Index>(count - j - half, 0);
        pack_tile<Parts, TileSide::kColumns>(lines, there, K - k, 2 * kTileCells, to + half * kLines);
      }
    }
  }
}

}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // tiles
#endif  // per-target include guard
