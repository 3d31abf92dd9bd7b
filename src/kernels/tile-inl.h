// The heart of every product: a tile of some rows and one panel of columns stays in registers while k runs. Compiled
// once per instruction set; see simd-inl.h.
//
// A panel holds 2 vectors of columns, row after row of k, the last one filled up with zeros. Each sum is taken in the
// order of k by fused multiply-adds, whatever tile it is in: a row of a product does not depend on the rows beside it.
#if defined(DHYAN_KERNELS_TILE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DHYAN_KERNELS_TILE_INL_H
#undef DHYAN_KERNELS_TILE_INL_H
#else
#define DHYAN_KERNELS_TILE_INL_H
#endif

#include <algorithm>
#include <hwy/cache_control.h>

#include "kernels/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {

// Two sums a row, the panel's two vectors and a factor are to fit into the machine's registers.
#if HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM_A64
inline constexpr int kTileRows = 12;
#else
inline constexpr int kTileRows = 6;
#endif

HWY_INLINE Index panel_width() { return 2 * lanes(); }
HWY_INLINE Index panels_of(Index columns) { return (columns + panel_width() - 1) / panel_width(); }

// Element (i,k) is at data[i * row + k * step].
struct Factors {
  const Real* data;
  Index row, step;

  HWY_INLINE Factors from_row(Index i) const { return {data + i * row, row, step}; }
  HWY_INLINE Factors from_column(Index k) const { return {data + k * step, row, step}; }
};

// Two vectors of columns, one row of k every `stride`.
struct Panel {
  const Real* data;
  Index stride;
};

HWY_INLINE Factors factors_of(const ConstMatrix& a) {
  return a.transposed ? Factors{a.data, 1, a.stride} : Factors{a.data, a.stride, 1};
}

// Both halves of each row go to sums, one after the other. Compiled once for each height, whoever finishes the rows.
template <int R>
HWY_NOINLINE void tile(Index K, const Factors& a, const Panel& b, Real* HWY_RESTRICT sums) {
  V first[R], second[R];
#pragma GCC unroll 16
  for (int r = 0; r < R; ++r) first[r] = second[r] = hn::Zero(D());
  const Real *at = a.data, *panel = b.data;
  for (Index k = 0; k < K; ++k, at += a.step, panel += b.stride) {
    const V b0 = load(panel), b1 = load(panel + lanes());
#pragma GCC unroll 16
    for (int r = 0; r < R; ++r) {
      const V factor = hn::Set(D(), at[r * a.row]);
      first[r] = hn::MulAdd(factor, b0, first[r]);
      second[r] = hn::MulAdd(factor, b1, second[r]);
    }
  }
#pragma GCC unroll 16
  for (int r = 0; r < R; ++r) {
    store(first[r], sums + r * panel_width());
    store(second[r], sums + r * panel_width() + lanes());
  }
}

// The same for a number of rows that is known only now.
template <int R = kTileRows>
HWY_INLINE void tile_of(Index rows, Index K, const Factors& a, const Panel& panel, Real* sums) {
  if constexpr (R > 1) {
    if (rows < R) return tile_of<R - 1>(rows, K, a, panel, sums);
  }
  tile<R>(K, a, panel, sums);
}

// All rows of one panel, in tiles of about the same height. finish(row, first, second)
template <class Finish>
HWY_INLINE void panel_product(Index M, Index K, const Factors& a, const Panel& panel, const Matrix& to,
                              const Finish& finish) {
  HWY_ALIGN Real sums[kTileRows * 2 * HWY_MAX_BYTES / sizeof(Real)];
  const Index tiles = (M + kTileRows - 1) / kTileRows;
  for (Index t = 0, begin = 0; t < tiles; ++t) {
    const Index end = M * (t + 1) / tiles;
    for (Index r = begin; r < end; ++r) {
      hwy::Prefetch(to.row(r));
      hwy::Prefetch(to.row(r) + panel_width() - 1);
    }
    tile_of(end - begin, K, a.from_row(begin), panel, sums);
    for (Index r = 0; r < end - begin; ++r) {
      finish(begin + r, load(sums + r * panel_width()), load(sums + r * panel_width() + lanes()));
    }
    begin = end;
  }
}

// All panels. Rows go through a panel `chunk` at a time. finish(row, column, columns, first, second)
struct ProductSize {
  Index rows, inner, columns, chunk;
};

template <class Finish>
HWY_INLINE void packed_product(const ProductSize& size, const Factors& a, const Real* panels, const Matrix& to,
                               const Finish& finish) {
  for (Index row = 0; row < size.rows; row += size.chunk) {
    const Index rows = std::min(size.chunk, size.rows - row);
    const Real* panel = panels;
    for (Index begin = 0; begin < size.columns; begin += panel_width(), panel += size.inner * panel_width()) {
      const Index n = std::min(panel_width(), size.columns - begin);
      panel_product(rows, size.inner, a.from_row(row), {panel, panel_width()},
                    Matrix{to.row(row) + begin, rows, n, to.stride},
                    [&](Index r, V first, V second) HWY_ATTR { finish(row + r, begin, n, first, second); });
    }
  }
}

}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
