// Products of 8-bit numbers by the machine's own tiles; see tiles.h. The same bytes as int8_tile-inl.h, which has what
// both need. Compiled for AVX-512 alone, which every machine with tiles has.
#if defined(DHYAN_KERNELS_INT8_TILES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DHYAN_KERNELS_INT8_TILES_INL_H
#undef DHYAN_KERNELS_INT8_TILES_INL_H
#else
#define DHYAN_KERNELS_INT8_TILES_INL_H
#endif

#include "kernels/int8_tile-inl.h"
#include "kernels/tiles.h"

#if DHYAN_TARGET_HAS_TILES

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {

static_assert(kQuadsOfLine * kQuad == tiles::kRowBytes);

// The part of the next panel that is asked for on the way: some lines at each of this panel's stretches of k.
struct LinesAhead {
  const char* next;
  Index lines;

  HWY_INLINE void ask() {
    for (Index i = 0; i < lines; ++i, next += 64) __builtin_prefetch(next, 0, 2);
  }
};

constexpr Index kSumsWidth = 2 * kRowsOfTile, kSumsRow = kSumsWidth * kQuad;  // of a panel, in columns and bytes

// Sums of one or two tiles of rows and a panel.
template <int RowTiles>
HWY_INLINE void add_int8_tiles(Index quads, const std::uint8_t* x, const std::int32_t* panel, LinesAhead& ahead) {
  const Index row_tile = quads / kQuadsOfLine * tiles::kBytes;
  tiles::zero<0>(), tiles::zero<1>();
  if constexpr (RowTiles == 2) tiles::zero<2>(), tiles::zero<3>();
  for (Index q = 0; q < quads; q += kQuadsOfLine, x += tiles::kBytes, panel += kQuadsOfLine * kSumsWidth) {
    tiles::load<4>(x, tiles::kRowBytes);
    tiles::load<6>(panel, kSumsRow);
    tiles::add_bytes<0, 4, 6>();
    tiles::load<7>(panel + kRowsOfTile, kSumsRow);
    tiles::add_bytes<1, 4, 7>();
    if constexpr (RowTiles == 2) {
      tiles::load<5>(x + row_tile, tiles::kRowBytes);
      tiles::add_bytes<2, 5, 6>();
      tiles::add_bytes<3, 5, 7>();
    }
    ahead.ask();
  }
}

template <int RowTiles>
HWY_INLINE void store_int8_tiles(std::int32_t* sums) {
  tiles::store<0>(sums, kSumsRow), tiles::store<1>(sums + kRowsOfTile, kSumsRow);
  if constexpr (RowTiles == 2) {
    sums += kRowsOfTile * kSumsWidth;
    tiles::store<2>(sums, kSumsRow), tiles::store<3>(sums + kRowsOfTile, kSumsRow);
  }
}

// y = s_x s_w sum + b of so many rows and a panel. Sums lack what takes the shift of x away again.
template <class Ending>
HWY_INLINE void finish_int8_tiles(const Int8Operands& of, Index row, Index rows, Index column, const std::int32_t* sums,
                                  const Ending& ending) {
  const VI start0 = hn::LoadU(DI(), of.starts + column), start1 = hn::LoadU(DI(), of.starts + column + kRowsOfTile);
  for (Index r = 0; r < rows; ++r, sums += kSumsWidth) {
    const VI first[] = {hn::Add(hn::Load(DI(), sums), start0)};
    const VI second[] = {hn::Add(hn::Load(DI(), sums + kRowsOfTile), start1)};
    finish_rows(of, row + r, column, first, second, ending);
  }
}

// Rows of x, which lie tile by tile, [quads / 16,16] of 64 bytes each; a chunk of them goes through all panels.
template <class Ending>
void int8_product_by_tiles(const Int8Operands& of, const Ending& ending) {
  constexpr Index kChunkBytes = 524288, kPair = 2 * kRowsOfTile;
  HWY_ALIGN std::int32_t sums[kPair * kSumsWidth];
  const tiles::Session session(std::min(of.rows, kRowsOfTile));
  const Index row_bytes = of.quads * kQuad, panel_numbers = of.quads * kSumsWidth;
  const Index chunk = std::max<Index>(1, kChunkBytes / (row_bytes * kPair)) * kPair;
  for (Index begin = 0; begin < of.rows; begin += chunk) {
    const Index end = std::min(begin + chunk, of.rows), pairs = (end - begin + kPair - 1) / kPair;
    const std::int32_t* panel = of.panels;
    for (Index column = 0; column < ending.columns(); column += kSumsWidth, panel += panel_numbers) {
      LinesAhead ahead{reinterpret_cast<const char*>(panel + panel_numbers), (kPair + pairs - 1) / pairs};
      for (Index row = begin; row < end; row += kPair) {
        const Index rows = std::min(kPair, end - row);
        const std::uint8_t* x = of.x + row * row_bytes;
        const bool two = rows > kRowsOfTile;
        two ? add_int8_tiles<2>(of.quads, x, panel, ahead) : add_int8_tiles<1>(of.quads, x, panel, ahead);
        two ? store_int8_tiles<2>(sums) : store_int8_tiles<1>(sums);
        finish_int8_tiles(of, row, rows, column, sums, ending);
      }
    }
  }
}

// A line of numbers, rounded and shifted by 128 to bytes.
HWY_INLINE void round_line(const Real* from, V inverse, std::uint8_t* to) {
  const auto whole = [&](Index i)
                         HWY_ATTR { return _mm512_cvtps_epi32(hn::Mul(load(from + i * lanes()), inverse).raw); };
  const __m512i first = _mm512_packs_epi32(whole(0), whole(1)), second = _mm512_packs_epi32(whole(2), whole(3));
  const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  const __m512i bytes = _mm512_permutexvar_epi32(order, _mm512_packs_epi16(first, second));
  _mm512_storeu_si512(to, _mm512_xor_si512(bytes, _mm512_set1_epi8(-128)));
}

// Largest |x| of so many lines.
HWY_INLINE V largest_by_lane(const Real* row, Index lines) {
  V largest[4] = {hn::Zero(D()), hn::Zero(D()), hn::Zero(D()), hn::Zero(D())};
  for (Index i = 0; i < lines; ++i, row += 4 * lanes()) {
    for (int j = 0; j < 4; ++j) largest[j] = hn::Max(largest[j], hn::Abs(load(row + j * lanes())));
  }
  return hn::Max(hn::Max(largest[0], largest[1]), hn::Max(largest[2], largest[3]));
}

// Each row in steps of its largest number / 127, line by line to its place in a tile, filled up with what stands for 0.
inline void quantize_for_tiles(ConstMatrix x, std::uint8_t* to, float* scales) {
  constexpr Index kLine = kQuadsOfLine * kQuad;
  const Index lines = x.cols / kLine, rest = x.cols % kLine, row_bytes = quads_of(x.cols) * kQuad;
  HWY_ALIGN Real tail[kLine] = {};
  for (Index r = 0; r < x.rows; ++r) {
    const Real* row = x.row(r);
    std::copy_n(row + lines * kLine, rest, tail);
    const V by_lane = hn::Max(largest_by_lane(row, lines), largest_by_lane(tail, rest > 0 ? 1 : 0));
    const Real largest = hn::GetLane(hn::MaxOfLanes(D(), by_lane));
    const V inverse = all(largest > 0 ? 127 / largest : 0);
    scales[r] = largest / 127;
    std::uint8_t* at = to + (r - r % kRowsOfTile) * row_bytes + r % kRowsOfTile * kLine;
    for (Index i = 0; i < lines; ++i, at += tiles::kBytes) round_line(row + i * kLine, inverse, at);
    if (rest > 0) round_line(tail, inverse, at);
  }
}

}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // tiles
#endif  // per-target include guard
