#include "kernels/packed_matrix.h"

#include "kernels/elementwise.h"
#include "kernels/in_shares.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/packed_matrix.cpp"
#include <hwy/foreach_target.h>

#include "kernels/float_tiles-inl.h"
#include "kernels/pack-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {
namespace {

// In Reals; a cell is no larger than one.
Index packed_size(Index inner, Index columns, Precision precision) {
  Index cells = 0;
#if DHYAN_TARGET_HAS_TILES
  const auto tiled = [&](auto parts) HWY_ATTR { cells = column_tile_cells<decltype(parts)>(columns, inner); };
  if (with_parts(precision, tiled)) return cells;
#endif
  with_numbers(precision, [&](auto numbers) HWY_ATTR { cells = cells_of<decltype(numbers)>(inner); });
  return panels_of(columns) * cells * panel_width();
}

void pack_all(ConstMatrix w, Precision precision, Real* to) {
#if DHYAN_TARGET_HAS_TILES
  const auto tiled = [&](auto parts) HWY_ATTR {
    pack_column_tiles<decltype(parts)>(factors_of(w.t()), w.n(), w.m(), reinterpret_cast<TileCell*>(to));
  };
  if (with_parts(precision, tiled)) return;
#endif
  with_numbers(precision, [&](auto numbers) HWY_ATTR {
    using Numbers = decltype(numbers);
    pack<Numbers>(w, {0, w.m(), 0, w.n()}, reinterpret_cast<typename Numbers::Cell*>(to));
  });
}

// y = sum + b + before y
struct FinishRow {
  const Real* bias;  // or null
  Matrix y;
  Real before = 0;

  HWY_INLINE void operator()(Index r, Index begin, Index n, V first, V second) const {
    Real* to = y.row(r) + begin;
    if (bias != nullptr) {
      V bias0 = hn::Zero(D()), bias1 = hn::Zero(D());
      load_pair(bias + begin, n, bias0, bias1);
      first = hn::Add(first, bias0), second = hn::Add(second, bias1);
    }
    if (before != 0) {
      V old0 = hn::Zero(D()), old1 = hn::Zero(D());
      load_pair(to, n, old0, old1);
      first = hn::MulAdd(all(before), old0, first), second = hn::MulAdd(all(before), old1, second);
    }
    store_pair(first, second, to, n);
  }
};

// A chunk of rows stays in the second-level cache, and each panel is read once for it.
constexpr Index kChunkOfRows = 98304;  // Reals

Index chunk_of(Index inner) {
  return std::max<Index>(kTileRows, kChunkOfRows / (inner + kApart) / kTileRows * kTileRows);
}

#if DHYAN_TARGET_HAS_TILES

constexpr Index kTiledChunk = 262144;  // cells

// Rows of which tiles of all parts are made at a time.
template <class Parts>
Index tiled_chunk(Index inner) {
  const Index two_tiles = row_tile_cells<Parts>(2 * kLines, inner);
  return std::max<Index>(1, kTiledChunk / two_tiles) * 2 * kLines;
}

template <class Parts>
void multiply_tiled(const ConstMatrix& x, const TileCell* panels, const FinishRow& finish, TileCell* buffer) {
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
#if DHYAN_TARGET_HAS_TILES
  if (has_tiles()) cells = std::max({cells, kTiledChunk, row_tile_cells<ThreeParts>(2 * kLines, inner)});
#endif
  return cells;
}

bool is_copied(const ConstMatrix& x, Precision precision) { return precision != Precision::kFull || far_apart(x); }

// Without a buffer rows are read where they lie.
template <class Numbers, class Cell = typename Numbers::Cell>
void multiply_packed_numbers(const ConstMatrix& x, const Cell* panels, const FinishRow& finish, Cell* buffer) {
  const Matrix& y = finish.y;
  const Index chunk = chunk_of(x.cols);
  for (Index row = 0; row < x.rows; row += chunk) {
    const Index rows = std::min(chunk, x.rows - row);
    Factors<Cell> factors{};
    if (buffer != nullptr) {
      factors = copy_rows<Numbers>(factors_of(x).from_row(row), rows, x.cols, buffer);
    } else if constexpr (Numbers::kAsStored) {
      factors = factors_of(x).from_row(row);
    }
    packed_product<Numbers>(
        {cells_of<Numbers>(x.cols), rows}, factors, panels, Matrix{y.row(row), rows, y.cols, y.stride},
        [&](Index r, Index begin, Index n, V first, V second) HWY_ATTR { finish(row + r, begin, n, first, second); });
  }
}

void multiply_packed(ConstMatrix x, const PackedPanels& w, const Real* bias, Matrix y, Real before, Real* buffer) {
#if DHYAN_TARGET_HAS_TILES
  const auto tiled = [&](auto parts) HWY_ATTR {
    multiply_tiled<decltype(parts)>(x, reinterpret_cast<const TileCell*>(w.data), FinishRow{bias, y, before},
                                    reinterpret_cast<TileCell*>(buffer));
  };
  if (with_parts(w.precision, tiled)) return;
#endif
  with_numbers(w.precision, [&](auto numbers) HWY_ATTR {
    using Numbers = decltype(numbers);
    using Cell = typename Numbers::Cell;
    multiply_packed_numbers<Numbers>(x, reinterpret_cast<const Cell*>(w.data), FinishRow{bias, y, before},
                                     reinterpret_cast<Cell*>(buffer));
  });
}

Index panel_size(Index inner) { return inner * panel_width(); }

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

void multiply_panel_by_panel(ConstMatrix x, ConstMatrix w, const Real* bias, Matrix y, Real* buffer) {
  const FinishRow finish{bias, y};
  for (Index begin = 0; begin < y.cols; begin += panel_width()) {
    const Index n = std::min(panel_width(), y.cols - begin);
    pack_panel<FullNumbers>(w, {0, w.m(), begin, begin + n}, buffer);
    panel_product<FullNumbers>(x.cols, factors_of(x), {buffer, panel_width()},
                               Matrix{y.data + begin, y.rows, n, y.stride},
                               [&](Index r, V first, V second) HWY_ATTR { finish(r, begin, n, first, second); });
  }
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
HWY_EXPORT(panel_size);
HWY_EXPORT(multiply_in_passing);
HWY_EXPORT(multiply_panel_by_panel);

namespace {

const Real* data_or_null(std::span<const Real> bias) { return bias.empty() ? nullptr : bias.data(); }

Real* room_of(Tensor& memory, Index size) {
  if (memory.size() < size) memory = Tensor::zeros({size});
  return memory.data();
}

}  // namespace

Index packed_count(ConstMatrix w, Precision precision) {
  return HWY_DYNAMIC_DISPATCH(packed_size)(w.m(), w.n(), precision);
}

PackedPanels pack_panels(ConstMatrix w, Precision precision, Real* to) {
  HWY_DYNAMIC_DISPATCH(pack_all)(w, precision, to);
  return {to, w.m(), w.n(), precision};
}

void multiply_panels(ConstMatrix x, const PackedPanels& w, std::span<const Real> bias, Matrix y, Real before) {
  expect_product(x, w.inner, w.columns, bias, y);
  thread_local Tensor chunk;  // of rows that are copied
  const bool copied = HWY_DYNAMIC_DISPATCH(is_copied)(x, w.precision);
  Real* buffer = copied ? room_of(chunk, HWY_DYNAMIC_DISPATCH(copy_size)(x.cols)) : nullptr;
  HWY_DYNAMIC_DISPATCH(multiply_packed)(x, w, data_or_null(bias), y, before, buffer);
}

PackedMatrix::PackedMatrix(ConstMatrix w, Precision precision, Helpers* helpers)
    : numbers_(Tensor::zeros({packed_count(w, precision)})), panels_{numbers_.data(), w.m(), w.n(), precision} {
  in_shares({.weights = w.m() * w.n()}, helpers, [&](const Share& share) {
    const ColumnRange some = columns_of(share, w.n(), HWY_DYNAMIC_DISPATCH(panel_width)());
    pack_panels(w.columns(some.begin, some.size), precision, numbers_.data() + place_of(some.begin));
  });
}

void PackedMatrix::multiply_share(ConstMatrix x, std::span<const Real> bias, Matrix y, const Share& share) const {
  expect_product(x, panels_.inner, panels_.columns, bias, y);
  const ColumnRange some = columns_of(share, panels_.columns, HWY_DYNAMIC_DISPATCH(panel_width)());
  multiply_panels(x, {panels_.data + place_of(some.begin), panels_.inner, some.size, panels_.precision},
                  some_of(bias, some), y.columns(some.begin, some.size));
}

Index PackedMatrix::place_of(Index column) const {
  return HWY_DYNAMIC_DISPATCH(packed_size)(panels_.inner, column, panels_.precision);
}

void multiply_rows(ConstMatrix x, ConstMatrix w, std::span<const Real> bias, Matrix y) {
  constexpr Index kFew = 24;
  expect_product(x, w.m(), w.n(), bias, y);
  if (x.rows <= kFew && !w.transposed) {
    HWY_DYNAMIC_DISPATCH(multiply_in_passing)(x, w, y);
    if (!bias.empty()) add_bias(y, bias, y);
    return;
  }
  thread_local Tensor panel;  // grows to the largest weight's
  Real* buffer = room_of(panel, HWY_DYNAMIC_DISPATCH(panel_size)(w.m()));
  HWY_DYNAMIC_DISPATCH(multiply_panel_by_panel)(x, w, data_or_null(bias), y, buffer);
}

}  // namespace dhyan::kernels
#endif  // HWY_ONCE
