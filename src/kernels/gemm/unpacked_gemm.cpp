#include "kernels/gemm/unpacked_gemm.h"

#include "kernels/elementwise/elementwise.h"
#include "kernels/gemm/column_partition.h"
#include "kernels/gemm/packed_weight.h"
#include "kernels/gemm/scratch_buffer.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/gemm/unpacked_gemm.cpp"
#include <hwy/foreach_target.h>

#include "kernels/amx/amx_gemm-inl.h"
#include "kernels/gemm/epilogue-inl.h"
#include "kernels/gemm/pack-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {
namespace {

constexpr Index kAtOnce = 4;  // rows of a weight

// y += x W of R rows of x and up to four of the weight. Asks for the four after them.
template <int R>
HWY_INLINE void add_in_passing(const ConstMatrix& x, const ConstMatrix& w, const Matrix& y) {
  Index j = 0;
  if (x.cols == kAtOnce) {
    V factors[R][kAtOnce];
#pragma GCC unroll 20
    for (int i = 0; i < R * kAtOnce; ++i) factors[i / kAtOnce][i % kAtOnce] = all(x.row(i / kAtOnce)[i % kAtOnce]);
    for (; j + lanes() <= y.cols; j += lanes()) {
      V sums[R];
#pragma GCC unroll 8
      for (int r = 0; r < R; ++r) sums[r] = load(y.row(r) + j);
#pragma GCC unroll 8
      for (Index k = 0; k < kAtOnce; ++k) {
        const V column = load(w.row(k) + j);
        hwy::Prefetch(w.row(k + kAtOnce) + j);
#pragma GCC unroll 8
        for (int r = 0; r < R; ++r) sums[r] = hn::MulAdd(factors[r][k], column, sums[r]);
      }
#pragma GCC unroll 8
      for (int r = 0; r < R; ++r) store(sums[r], y.row(r) + j);
    }
  }
  for (Index r = 0; j < y.cols && r < R; ++r) {
    for (Index k = 0; k < x.cols; ++k) {
      const V factor = all(x.row(r)[k]);
      transform(
          y.cols - j, y.row(r) + j, [&](V sum, V one) HWY_ATTR { return hn::MulAdd(factor, one, sum); }, y.row(r) + j,
          w.row(k) + j);
    }
  }
}

// For a number of rows that is known only now, at most R.
template <int R>
HWY_INLINE void add_some_in_passing(const ConstMatrix& x, const ConstMatrix& w, const Matrix& y) {
  if constexpr (R > 1) {
    if (x.rows < R) return add_some_in_passing<R - 1>(x, w, y);
  }
  add_in_passing<R>(x, w, y);
}

// Reads the weight once from begin to end, as memory likes it: some columns of y stay in the first-level cache while
// four rows of the weight at a time pass by. Each sum is taken in the order of k, as in a tile.
void multiply_in_passing(ConstMatrix x, ConstMatrix w, Matrix y) {
  constexpr Index kBlock = 512, kTogether = 5;
  for (Index begin = 0; begin < y.cols; begin += kBlock) {
    const Index n = std::min(kBlock, y.cols - begin);
    for (Index r = 0; r < y.rows; ++r) std::fill_n(y.row(r) + begin, n, Real{0});
    for (Index k = 0; k < x.cols; k += kAtOnce) {
      const Index some = std::min(kAtOnce, x.cols - k);
      const ConstMatrix passing{w.row(k) + begin, some, n, w.stride};
      for (Index r = 0; r < y.rows; r += kTogether) {
        const Index rows = std::min(kTogether, y.rows - r);
        add_some_in_passing<kTogether>({x.row(r) + k, rows, some, x.stride}, passing,
                                       {y.row(r) + begin, rows, n, y.stride});
      }
    }
  }
}

bool is_tiled([[maybe_unused]] Precision precision) {
#if DHYAN_TARGET_HAS_AMX
  return precision == Precision::kSplitBfloat16 && has_amx();
#else
  return false;
#endif
}

#if DHYAN_TARGET_HAS_AMX

void multiply_amx_by_panel(const ConstMatrix& x, const ConstMatrix& w, const RowEpilogue& finish, TileCell* tiles) {
  TileCell* panel = tiles + tiled_chunk_cells<ThreeParts>(x.cols);
  const Index chunk = tiled_chunk<ThreeParts>(x.cols);
  for (Index row = 0; row < x.rows; row += chunk) {
    const Index rows = std::min(chunk, x.rows - row);
    RowTiles<ThreeParts>{factors_of(x).from_row(row), rows, x.cols, tiles}(0, 1);
    for (Index column = 0; column < w.n(); column += 2 * kLines) {
      const Index n = std::min(2 * kLines, w.n() - column);
      pack_column_tiles<ThreeParts>(factors_of(w.t()).from_row(column), n, x.cols, panel);
      tile_product<ThreeParts>({rows, n, x.cols}, tiles, panel,
                               [=](Index r, Index begin, Index width, V first, V second)
                                   HWY_ATTR { finish(row + r, column + begin, width, first, second); });
    }
  }
}

#endif  // tiles

// Of what is packed at a time, in Reals.
Index panel_size(Index inner, [[maybe_unused]] Precision precision) {
#if DHYAN_TARGET_HAS_AMX
  if (is_tiled(precision)) {
    return tiled_chunk_cells<ThreeParts>(inner) + column_tile_cells<ThreeParts>(2 * kLines, inner);
  }
#endif
  return inner * panel_width();
}

// Each panel is packed on its way.
void multiply_panel_by_panel(ConstMatrix x, ConstMatrix w, const Real* bias, Matrix y,
                             [[maybe_unused]] Precision precision, Real* buffer) {
  const RowEpilogue finish{bias, y};
#if DHYAN_TARGET_HAS_AMX
  if (is_tiled(precision)) return multiply_amx_by_panel(x, w, finish, reinterpret_cast<TileCell*>(buffer));
#endif
  for (Index begin = 0; begin < y.cols; begin += panel_width()) {
    const Index n = std::min(panel_width(), y.cols - begin);
    pack_panel<RealOperands>(w, {0, w.m(), begin, begin + n}, buffer);
    panel_product<RealOperands>(x.cols, factors_of(x), {buffer, panel_width()},
                                Matrix{y.data + begin, y.rows, n, y.stride},
                                [&](Index r, V first, V second) HWY_ATTR { finish(r, begin, n, first, second); });
  }
}

}  // namespace
}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dhyan::kernels {

HWY_EXPORT(multiply_in_passing);
HWY_EXPORT(multiply_panel_by_panel);
HWY_EXPORT(panel_size);
HWY_EXPORT(is_tiled);

void multiply_unpacked(ConstMatrix x, ConstMatrix w, std::span<const Real> bias, Matrix y, Precision precision) {
  constexpr Index kFew = 24;
  expect_product(x, w.m(), w.n(), bias, y);
  if (x.rows <= kFew && !w.transposed && !HWY_DYNAMIC_DISPATCH(is_tiled)(precision)) {
    HWY_DYNAMIC_DISPATCH(multiply_in_passing)(x, w, y);
    if (!bias.empty()) add_bias(y, bias, y);
    return;
  }
  thread_local ScratchBuffer panel;
  Real* buffer = panel.room(HWY_DYNAMIC_DISPATCH(panel_size)(w.m(), precision));
  HWY_DYNAMIC_DISPATCH(multiply_panel_by_panel)(x, w, data_or_null(bias), y, precision, buffer);
}

}  // namespace dhyan::kernels
#endif  // HWY_ONCE
