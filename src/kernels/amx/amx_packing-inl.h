// Packing of floats into AMX tiles of bfloat16 (amx.h): a value is rounded to one bfloat16 or split into three that add
// up to it (bf16x3). Compiled for AVX-512 only, which every machine with AMX has.
//
// A cell is two values that are 16 apart along k; a tile has 16 lines (rows of the left operand, columns of the right
// one) of 16 cells.
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

using AmxCell = std::uint32_t;
using VCells = hn::Vec<hn::ScalableTag<AmxCell>>;

constexpr Index kTileRows = amx::kRows, kTileCells = kTileRows * kTileRows;
constexpr Index kTileK = 2 * kTileRows;  // values along k per tile

struct Bfloat16Parts {
  static constexpr int kParts = 1;

  static HWY_INLINE void cells(V first, V second, VCells (&to)[kParts]) {
    to[0] = Bfloat16DotOperands::pack_rows(first, second);
  }
};

// bf16x3: x = h + m + l, its upper, middle and lower 8 bits, exactly. Of the nine products of parts the three smallest,
// below 2^-21 of the whole, are left out.
struct Bfloat16x3Parts {
  static constexpr int kParts = 3;

  static HWY_INLINE void cells(V first, V second, VCells (&to)[kParts]) {
    for (int part = 0; part < kParts; ++part) {
      const hn::Repartition<std::uint16_t, hn::ScalableTag<AmxCell>> halves;
      const hn::ScalableTag<AmxCell> d;
      const VCells bits = hn::BitCast(d, first), next = hn::BitCast(d, second);
      to[part] = hn::BitCast(d, hn::OddEven(hn::BitCast(halves, next), hn::BitCast(halves, hn::ShiftRight<16>(bits))));
      const VCells upper = hn::Set(d, AmxCell{0xffff0000});
      first = hn::Sub(first, hn::BitCast(D(), hn::And(bits, upper)));
      second = hn::Sub(second, hn::BitCast(D(), hn::And(next, upper)));
    }
  }
};

HWY_INLINE Index blocks_of(Index K) { return (K + kTileK - 1) / kTileK; }

// Packed size in cells: rows are padded to whole tiles, columns to whole panels of two tiles.
template <class Parts>
HWY_INLINE Index row_tile_cells(Index rows, Index K) {
  return (rows + kTileRows - 1) / kTileRows * blocks_of(K) * Parts::kParts * kTileCells;
}

template <class Parts>
HWY_INLINE Index column_tile_cells(Index columns, Index K) {
  return (columns + 2 * kTileRows - 1) / (2 * kTileRows) * 2 * blocks_of(K) * Parts::kParts * kTileCells;
}

// 16 x 16 values of 32 bits, in place.
template <class Value>
inline void transpose_tile(Value* tile) {
  __m512i a[16], b[16];
#pragma GCC unroll 16
  for (int i = 0; i < 16; ++i) a[i] = _mm512_loadu_si512(tile + i * kTileRows);
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
    _mm512_storeu_si512(tile + i * kTileRows, _mm512_shuffle_i32x4(b[i], b[i + 8], 0x88));
    _mm512_storeu_si512(tile + (i + 8) * kTileRows, _mm512_shuffle_i32x4(b[i], b[i + 8], 0xdd));
  }
}

HWY_INLINE V load_at_most(const Real* from, Index n) {
  return n >= lanes() ? load(from) : n > 0 ? load_some(from, n) : hn::Zero(D());
}

// One row of cells of each part; the parts are `part_stride` cells apart.
template <class Parts>
HWY_INLINE void store_cells(V first, V second, Index part_stride, AmxCell* to) {
  VCells cells[Parts::kParts];
  Parts::cells(first, second, cells);
  for (int part = 0; part < Parts::kParts; ++part) {
    hn::StoreU(cells[part], hn::ScalableTag<AmxCell>(), to + part * part_stride);
  }
}

// Whether the lines are rows of a tile, as in the left operand, or its columns.
enum class TileSide { kRows, kColumns };

// A full tile: its lines, or its columns across all lines, one by one.
template <class Parts>
HWY_INLINE void pack_full_tile(const Real* from, Index stride, Index second_offset, Index part_stride, AmxCell* to) {
#pragma GCC unroll 2
  for (Index i = 0; i < kTileRows; ++i, from += stride, to += kTileRows) {
    store_cells<Parts>(load(from), load(from + second_offset), part_stride, to);
  }
}

// A partial tile, padded with zeros.
template <class Parts>
HWY_INLINE void pack_partial_tile(const StridedMatrix<Real>& of, Index lines, Index K, Index part_stride, AmxCell* to) {
  for (Index i = 0; i < kTileRows; ++i) {
    V first = hn::Zero(D()), second = first;
    if (of.k_stride == 1 && i < lines) {
      first = load_at_most(of.data + i * of.row_stride, K);
      second = load_at_most(of.data + i * of.row_stride + kTileRows, K - kTileRows);
    } else if (of.k_stride != 1) {
      if (i < K) first = load_at_most(of.data + i * of.k_stride, lines);
      if (i + kTileRows < K) second = load_at_most(of.data + (i + kTileRows) * of.k_stride, lines);
    }
    store_cells<Parts>(first, second, part_stride, to + i * kTileRows);
  }
}

// One tile of each part. Element (line, k) is at of.data[line * of.row_stride + k * of.k_stride].
template <class Parts, TileSide kSide>
HWY_INLINE void pack_tile(const StridedMatrix<Real>& of, Index lines, Index K, Index part_stride, AmxCell* to) {
  const bool contiguous = of.k_stride == 1;
  if (lines < kTileRows || K < kTileK) {
    pack_partial_tile<Parts>(of, lines, K, part_stride, to);
  } else {
    pack_full_tile<Parts>(of.data, contiguous ? of.row_stride : of.k_stride,
                          contiguous ? kTileRows : kTileRows * of.k_stride, part_stride, to);
  }
  if (contiguous == (kSide == TileSide::kRows)) return;
  for (int part = 0; part < Parts::kParts; ++part) transpose_tile(to + part * part_stride);
}

// Packs rows into tiles of 16 rows, each [blocks,parts].
template <class Parts>
struct PackRowTiles {
  StridedMatrix<Real> rows;
  Index count, K;
  AmxCell* to;

  // Packs the part `step` of `steps` of all tiles.
  HWY_INLINE void operator()(Index step, Index steps) const {
    const Index blocks = blocks_of(K), tiles = (count + kTileRows - 1) / kTileRows * blocks;
    for (Index t = tiles * step / steps; t < tiles * (step + 1) / steps; ++t) {
      const Index row = t / blocks * kTileRows, k = t % blocks * kTileK;
      pack_tile<Parts, TileSide::kRows>(rows.from_row(row).from_column(k), count - row, K - k, kTileCells,
                                        to + t * Parts::kParts * kTileCells);
    }
  }
};

// Packs columns into panels of 32, each [blocks,parts,2] tiles. The columns are the rows of the transposed operand.
template <class Parts>
inline void pack_column_tiles(const StridedMatrix<Real>& columns, Index count, Index K, AmxCell* to) {
  for (Index j = 0; j < count; j += 2 * kTileRows) {
    for (Index k = 0; k < K; k += kTileK, to += 2 * Parts::kParts * kTileCells) {
      for (const Index half : {Index{0}, kTileRows}) {
        const StridedMatrix<Real> lines = columns.from_row(j + half).from_column(k);
        const Index count_left = std::max<Index>(count - j - half, 0);
        pack_tile<Parts, TileSide::kColumns>(lines, count_left, K - k, 2 * kTileCells, to + half * kTileRows);
      }
    }
  }
}

}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // DHYAN_TARGET_HAS_AMX
#endif  // per-target include guard
