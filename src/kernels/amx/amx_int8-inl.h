// int8 GEMM by AMX tiles; see amx.h. The same bytes as int8_microkernel-inl.h, which has what both need. Compiled for
// AVX-512 only, which every machine with AMX has.
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

static_assert(kQuadsPerLine * kQuad == amx::kRowBytes);

// Prefetches the next panel, some cache lines at each k block of this one.
struct PanelPrefetch {
  const char* next;
  Index lines;

  HWY_INLINE void step() {
    for (Index i = 0; i < lines; ++i, next += 64) __builtin_prefetch(next, 0, 2);
  }
};

constexpr Index kSumsWidth = 2 * kAmxTileRows, kSumsRow = kSumsWidth * kQuad;  // a panel's sums, in columns and bytes

// Sums of one or two row tiles times a panel.
template <int kRowTiles>
HWY_INLINE void multiply_int8_tiles(Index quads, const std::uint8_t* x, const std::int32_t* panel,
                                    PanelPrefetch& prefetch) {
  const Index row_tile = quads / kQuadsPerLine * amx::kBytes;
  amx::zero<0>(), amx::zero<1>();
  if constexpr (kRowTiles == 2) amx::zero<2>(), amx::zero<3>();
  for (Index q = 0; q < quads; q += kQuadsPerLine, x += amx::kBytes, panel += kQuadsPerLine * kSumsWidth) {
    amx::load<4>(x, amx::kRowBytes);
    amx::load<6>(panel, kSumsRow);
    amx::dot_int8<0, 4, 6>();
    amx::load<7>(panel + kAmxTileRows, kSumsRow);
    amx::dot_int8<1, 4, 7>();
    if constexpr (kRowTiles == 2) {
      amx::load<5>(x + row_tile, amx::kRowBytes);
      amx::dot_int8<2, 5, 6>();
      amx::dot_int8<3, 5, 7>();
    }
    prefetch.step();
  }
}

template <int kRowTiles>
HWY_INLINE void store_int8_tiles(std::int32_t* sums) {
  amx::store<0>(sums, kSumsRow), amx::store<1>(sums + kAmxTileRows, kSumsRow);
  if constexpr (kRowTiles == 2) {
    sums += kAmxTileRows * kSumsWidth;
    amx::store<2>(sums, kSumsRow), amx::store<3>(sums + kAmxTileRows, kSumsRow);
  }
}

// y = s_x s_w (sum + compensation) + b for `rows` rows and a panel.
template <class Epilogue>
HWY_INLINE void apply_epilogue_to_tiles(const Int8Operands& of, Index row, Index rows, Index column,
                                        const std::int32_t* sums, const Epilogue& epilogue) {
  const VI compensation0 = hn::LoadU(DI(), of.compensation + column),
           compensation1 = hn::LoadU(DI(), of.compensation + column + kAmxTileRows);
  for (Index r = 0; r < rows; ++r, sums += kSumsWidth) {
    const VI first[] = {hn::Add(hn::Load(DI(), sums), compensation0)};
    const VI second[] = {hn::Add(hn::Load(DI(), sums + kAmxTileRows), compensation1)};
    apply_epilogue(of, row + r, column, first, second, epilogue);
  }
}

// x is packed into row tiles, [quads / 16,16] lines of 64 bytes each; a chunk of tiles goes through all panels.
template <class Epilogue>
void int8_gemm_amx(const Int8Operands& of, const Epilogue& epilogue) {
  constexpr Index kChunkBytes = 524288, kPair = 2 * kAmxTileRows;
  HWY_ALIGN std::int32_t sums[kPair * kSumsWidth];
  const amx::TileSession session(std::min(of.rows, kAmxTileRows));
  const Index row_bytes = of.quads * kQuad, panel_size = of.quads * kSumsWidth;
  const Index chunk = std::max<Index>(1, kChunkBytes / (row_bytes * kPair)) * kPair;
  for (Index begin = 0; begin < of.rows; begin += chunk) {
    const Index end = std::min(begin + chunk, of.rows), pairs = (end - begin + kPair - 1) / kPair;
    const std::int32_t* panel = of.panels;
    for (Index column = 0; column < epilogue.columns(); column += kSumsWidth, panel += panel_size) {
      PanelPrefetch prefetch{reinterpret_cast<const char*>(panel + panel_size), (kPair + pairs - 1) / pairs};
      for (Index row = begin; row < end; row += kPair) {
        const Index rows = std::min(kPair, end - row);
        const std::uint8_t* x = of.x + row * row_bytes;
        const bool two_tiles = rows > kAmxTileRows;
        two_tiles ? multiply_int8_tiles<2>(of.quads, x, panel, prefetch)
                  : multiply_int8_tiles<1>(of.quads, x, panel, prefetch);
        two_tiles ? store_int8_tiles<2>(sums) : store_int8_tiles<1>(sums);
        apply_epilogue_to_tiles(of, row, rows, column, sums, epilogue);
      }
    }
  }
}

}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // DHYAN_TARGET_HAS_AMX
#endif  // per-target include guard
