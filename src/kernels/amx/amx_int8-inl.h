// Products of 8-bit values by the machine's own tiles; see amx.h. The same bytes as int8_microkernel-inl.h, which has
// what both need. Compiled for AVX-512 alone, which every machine with tiles has.
#if defined(DHYAN_KERNELS_AMX_INT8_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DHYAN_KERNELS_AMX_INT8_INL_H
#undef DHYAN_KERNELS_AMX_INT8_INL_H
#else
#define DHYAN_KERNELS_AMX_INT8_INL_H
#endif

#include "kernels/amx/amx.h"
#include "kernels/int8/int8_microkernel-inl.h"

#if DHYAN_TARGET_HAS_AMX

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {

static_assert(kQuadsOfLine * kQuad == amx::kRowBytes);

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
  const Index row_tile = quads / kQuadsOfLine * amx::kBytes;
  amx::zero<0>(), amx::zero<1>();
  if constexpr (RowTiles == 2) amx::zero<2>(), amx::zero<3>();
  for (Index q = 0; q < quads; q += kQuadsOfLine, x += amx::kBytes, panel += kQuadsOfLine * kSumsWidth) {
    amx::load<4>(x, amx::kRowBytes);
    amx::load<6>(panel, kSumsRow);
    amx::add_bytes<0, 4, 6>();
    amx::load<7>(panel + kRowsOfTile, kSumsRow);
    amx::add_bytes<1, 4, 7>();
    if constexpr (RowTiles == 2) {
      amx::load<5>(x + row_tile, amx::kRowBytes);
      amx::add_bytes<2, 5, 6>();
      amx::add_bytes<3, 5, 7>();
    }
    ahead.ask();
  }
}

template <int RowTiles>
HWY_INLINE void store_int8_tiles(std::int32_t* sums) {
  amx::store<0>(sums, kSumsRow), amx::store<1>(sums + kRowsOfTile, kSumsRow);
  if constexpr (RowTiles == 2) {
    sums += kRowsOfTile * kSumsWidth;
    amx::store<2>(sums, kSumsRow), amx::store<3>(sums + kRowsOfTile, kSumsRow);
  }
}

// y = s_x s_w sum + b of so many rows and a panel. Sums lack what takes the shift of x away again.
template <class Epilogue>
HWY_INLINE void finish_int8_tiles(const Int8Operands& of, Index row, Index rows, Index column, const std::int32_t* sums,
                                  const Epilogue& ending) {
  const VI start0 = hn::LoadU(DI(), of.starts + column), start1 = hn::LoadU(DI(), of.starts + column + kRowsOfTile);
  for (Index r = 0; r < rows; ++r, sums += kSumsWidth) {
    const VI first[] = {hn::Add(hn::Load(DI(), sums), start0)};
    const VI second[] = {hn::Add(hn::Load(DI(), sums + kRowsOfTile), start1)};
    apply_epilogue(of, row + r, column, first, second, ending);
  }
}

// Rows of x, which lie tile by tile, [quads / 16,16] of 64 bytes each; a chunk of them goes through all panels.
template <class Epilogue>
void int8_gemm_amx(const Int8Operands& of, const Epilogue& ending) {
  constexpr Index kChunkBytes = 524288, kPair = 2 * kRowsOfTile;
  HWY_ALIGN std::int32_t sums[kPair * kSumsWidth];
  const amx::Session session(std::min(of.rows, kRowsOfTile));
  const Index row_bytes = of.quads * kQuad, panel_size = of.quads * kSumsWidth;
  const Index chunk = std::max<Index>(1, kChunkBytes / (row_bytes * kPair)) * kPair;
  for (Index begin = 0; begin < of.rows; begin += chunk) {
    const Index end = std::min(begin + chunk, of.rows), pairs = (end - begin + kPair - 1) / kPair;
    const std::int32_t* panel = of.panels;
    for (Index column = 0; column < ending.columns(); column += kSumsWidth, panel += panel_size) {
      LinesAhead ahead{reinterpret_cast<const char*>(panel + panel_size), (kPair + pairs - 1) / pairs};
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

}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // tiles
#endif  // per-target include guard
