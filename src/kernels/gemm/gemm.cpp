#include "kernels/gemm/gemm.h"

#include "core/tensor.h"
#include "kernels/gemm/gemm_check.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/gemm/gemm.cpp"
#include <hwy/foreach_target.h>

#include "kernels/amx/amx_gemm-inl.h"
#include "kernels/gemm/microkernel-inl.h"
#include "kernels/gemm/pack-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {
namespace {

// What is packed of b at a time, in cells, stays in the second-level cache beside the rows of a that meet it.
constexpr Index kInner = 512, kColumns = 256, kRows = 8 * kMicrokernelRows;
constexpr Index kFewRows = 8;  // fewer are not worth packing for

// c = p sum + before c + bias, and what is negative 0 if asked for
struct Epilogue {
  Matrix c;
  Real product, before;
  const Real* bias;  // null: none
  bool relu;

  HWY_INLINE void operator()(Index r, Index begin, Index n, V first, V second) const {
    first = hn::Mul(first, all(product)), second = hn::Mul(second, all(product));
    Real* to = c.row(r) + begin;
    V other0 = hn::Zero(D()), other1 = hn::Zero(D());
    if (before != 0) {
      load_pair(to, n, other0, other1);
      first = hn::MulAdd(all(before), other0, first), second = hn::MulAdd(all(before), other1, second);
    }
    if (bias != nullptr) {
      load_pair(bias + begin, n, other0, other1);
      first = hn::Add(first, other0), second = hn::Add(second, other1);
    }
    if (relu) first = positive(first), second = positive(second);
    store_pair(first, second, to, n);
  }

  // What was there counts for the first stretch of k, all else for the last.
  Epilogue of_stretch(bool later, bool last) const {
    return {c, product, later ? 1 : before, last ? bias : nullptr, last && relu};
  }

  static HWY_INLINE V positive(V x) { return hn::IfThenZeroElse(hn::Lt(x, hn::Zero(D())), x); }
};

// Rows of a times rows of b, each pair by itself.
void gemm_by_dots(const ConstMatrix& a, const ConstMatrix& b, const Epilogue& finish) {
  const Matrix& c = finish.c;
  const auto product = [](V x, V y) HWY_ATTR { return hn::Mul(x, y); };
  for (Index i = 0; i < c.rows; ++i) {
    for (Index j = 0; j < c.cols; ++j) {
      Real& to = c.row(i)[j];
      Real sum = finish.product * sum_of(a.cols, product, a.row(i), b.row(j));
      if (finish.before != 0) sum += finish.before * to;
      if (finish.bias != nullptr) sum += finish.bias[j];
      to = finish.relu && sum < 0 ? 0 : sum;
    }
  }
}

// Panels of b where they lie; only the last, if it is not full, is packed.
void gemm_unpacked(const ConstMatrix& a, const ConstMatrix& b, const Epilogue& finish, Real* buffer) {
  for (Index begin = 0; begin < b.cols; begin += panel_width()) {
    const Index n = std::min(panel_width(), b.cols - begin);
    Panel<Real> panel{b.data + begin, b.stride};
    if (n < panel_width()) {
      pack_panel<RealOperands>(b, {0, b.rows, begin, begin + n}, buffer);
      panel = {buffer, panel_width()};
    }
    panel_product<RealOperands>(b.rows, factors_of(a), panel,
                                Matrix{finish.c.data + begin, finish.c.rows, n, finish.c.stride},
                                [&](Index r, V first, V second) HWY_ATTR { finish(r, begin, n, first, second); });
  }
}

template <class Operands, class Cell = typename Operands::Cell>
Factors<Cell> near_copy(const Factors<Real>& a, Index rows, Index inner, Cell* to) {
  if (a.step == 1) return copy_rows<Operands>(a, rows, inner, to);
  for_rows_of_cells<Operands>(a.data, a.step, inner, rows, [&](const Real* row, const Real* next, Index cell) HWY_ATTR {
    for (Index r = 0; r < rows; r += panel_width()) {
      pack_row<Operands>(row + r, next == nullptr ? nullptr : next + r, std::min(panel_width(), rows - r),
                         to + cell * kRows + r);
    }
  });
  return {to, 1, kRows};
}

template <class Operands, class Cell = typename Operands::Cell>
HWY_INLINE Factors<Cell> near_factors(const ConstMatrix& a, const Part& part, Cell* to) {
  const Factors<Real> factors = factors_of(a).from_row(part.row).from_column(part.column);
  if constexpr (Operands::kAsStored) {
    if (!far_apart(a)) return factors;
  }
  return near_copy<Operands>(factors, part.row_end - part.row, part.column_end - part.column, to);
}

template <class Operands, class Cell = typename Operands::Cell>
void gemm_packed(const ConstMatrix& a, const ConstMatrix& b, const Epilogue& whole, Cell* buffer) {
  constexpr Index kNumbers = kInner * Operands::kDeep;
  const Index M = a.m(), K = a.n(), N = b.n();
  Cell* copied = buffer + kInner * (kColumns + panel_width());
  for (Index k = 0; k < K; k += kNumbers) {
    const Index k_end = std::min(k + kNumbers, K);
    const Epilogue finish = whole.of_stretch(k > 0, k_end == K);
    for (Index n = 0; n < N; n += kColumns) {
      const Index n_end = std::min(n + kColumns, N);
      pack<Operands>(b, {k, k_end, n, n_end}, buffer);
      for (Index m = 0; m < M; m += kRows) {
        const Index m_end = std::min(m + kRows, M);
        packed_product<Operands>({cells_of<Operands>(k_end - k), kMicrokernelRows},
                                 near_factors<Operands>(a, {m, m_end, k, k_end}, copied), buffer,
                                 Matrix{finish.c.row(m) + n, m_end - m, n_end - n, finish.c.stride},
                                 [&](Index r, Index begin, Index width, V first, V second)
                                     HWY_ATTR { finish(m + r, n + begin, width, first, second); });
      }
    }
  }
}

#if DHYAN_TARGET_HAS_AMX

// Of b, so much as the second-level cache has room for; of a, as many rows as tiles are multiplied at once.
constexpr Index kTiledColumns = 512, kTiledRows = 2 * kLines;

template <class Parts>
constexpr Index kTiledInner = Parts::kParts > 1 ? 256 : 512;

template <class Parts>
Index tiled_buffer() {
  return column_tile_cells<Parts>(kTiledColumns, kTiledInner<Parts>) +
         2 * row_tile_cells<Parts>(kTiledRows, kTiledInner<Parts>);
}

// c = a b, or in a mirror cᵀ = bᵀ aᵀ: a and b are what is multiplied.
template <class Parts, Mirror kMirror>
void gemm_tiled(const ConstMatrix& a, const ConstMatrix& b, const Epilogue& whole, TileCell* buffer) {
  constexpr Index kStretch = kTiledInner<Parts>;
  const Index M = a.m(), K = a.n(), N = b.n();
  TileCell* rows = buffer + column_tile_cells<Parts>(kTiledColumns, kStretch);
  TileCell* next_rows = rows + row_tile_cells<Parts>(kTiledRows, kStretch);
  for (Index k = 0; k < K; k += kStretch) {
    const Index inner = std::min(kStretch, K - k);
    const Epilogue finish = whole.of_stretch(k > 0, k + inner == K);
    for (Index n = 0; n < N; n += kTiledColumns) {
      const Index columns = std::min(kTiledColumns, N - n);
      const auto rows_from = [&](Index m, TileCell* to) HWY_ATTR {
        const Index some = std::clamp<Index>(M - m, 0, kTiledRows);
        return RowTiles<Parts>{factors_of(a).from_row(m).from_column(k), some, inner, to};
      };
      pack_column_tiles<Parts>(factors_of(b.t()).from_row(n).from_column(k), columns, inner, buffer);
      rows_from(0, rows)(0, 1);
      for (Index m = 0; m < M; m += kTiledRows, std::swap(rows, next_rows)) {
        const Index some = std::min(kTiledRows, M - m), row = kMirror == Mirror::kNo ? m : n, column = m + n - row;
        const auto finish_here = [=](Index r, Index begin, Index width, V first, V second)
                                     HWY_ATTR { finish(row + r, column + begin, width, first, second); };
        tile_product<Parts, kMirror>({some, columns, inner}, rows, buffer, finish_here,
                                     rows_from(m + kTiledRows, next_rows));
      }
    }
  }
}

// How much packing a product takes: rows of the left operand again for each stretch of columns, and three times as much
// where tiles are not as values lie.
Index packing_work(const ConstMatrix& a, const ConstMatrix& b) {
  const Index times = (b.n() + kTiledColumns - 1) / kTiledColumns;
  return a.m() * times * (a.transposed ? 3 : 1) + b.n() * (b.transposed ? 3 : 1);
}

template <class Parts>
void gemm_amx(const ConstMatrix& a, const ConstMatrix& b, const Epilogue& finish, TileCell* buffer) {
  const Index mirroring = a.m() * b.n() / (4 * std::min(a.n(), kTiledInner<Parts>));  // mostly beside the products
  if (packing_work(a, b) <= packing_work(b.t(), a.t()) + mirroring) {
    gemm_tiled<Parts, Mirror::kNo>(a, b, finish, buffer);
  } else {
    gemm_tiled<Parts, Mirror::kYes>(b.t(), a.t(), finish, buffer);
  }
}

#endif  // tiles

// In Reals; a cell is no larger than one.
Index gemm_buffer() {
  const Index plain = kInner * (kColumns + panel_width()) + kRows * (kInner + kApart);
#if DHYAN_TARGET_HAS_AMX
  if (has_amx()) return std::max({plain, tiled_buffer<RoundedParts>(), tiled_buffer<ThreeParts>()});
#endif
  return plain;
}

void gemm_blocks(const ConstMatrix& a, const ConstMatrix& b, const Matrix& c, const GemmOptions& options,
                 Real* buffer) {
  const Epilogue finish{c, options.product, options.before, options.bias.empty() ? nullptr : options.bias.data(),
                        options.relu};
#if DHYAN_TARGET_HAS_AMX
  const auto tiled = [&](auto parts)
                         HWY_ATTR { gemm_amx<decltype(parts)>(a, b, finish, reinterpret_cast<TileCell*>(buffer)); };
  if (with_parts(options.precision, tiled)) return;
#endif
  if (options.precision != Precision::kBfloat16) {
    if (c.rows < kFewRows && b.transposed && !a.transposed) return gemm_by_dots(a, b, finish);
    if (c.rows < 4 * kFewRows && !b.transposed && a.n() <= kInner) return gemm_unpacked(a, b, finish, buffer);
  }
  with_operands(options.precision, [&](auto values) HWY_ATTR {
    using Operands = decltype(values);
    gemm_packed<Operands>(a, b, finish, reinterpret_cast<typename Operands::Cell*>(buffer));
  });
}

}  // namespace
}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dhyan::kernels {

HWY_EXPORT(gemm_buffer);
HWY_EXPORT(gemm_blocks);

void gemm(ConstMatrix a, ConstMatrix b, Matrix c, const GemmOptions& options) {
  check_gemm(a, b, c);
  if (c.rows == 0 || c.cols == 0) return;
  if (a.n() == 0) return gemm_simple(a, b, c, options);
  thread_local const Tensor buffer = Tensor::zeros({HWY_DYNAMIC_DISPATCH(gemm_buffer)()});
  HWY_DYNAMIC_DISPATCH(gemm_blocks)(a, b, c, options, buffer.data());
}

}  // namespace dhyan::kernels
#endif  // HWY_ONCE
