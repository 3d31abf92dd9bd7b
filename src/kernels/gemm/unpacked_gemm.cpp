#include "kernels/gemm/unpacked_gemm.h"

#include <vector>

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

constexpr Index kRank = 4;  // rows of the weight per update

// Rank-4 update: y += x W for R rows of x and up to four rows of the weight. Prefetches the next four.
template <int R>
HWY_INLINE void rank4_update(const ConstMatrix& x, const ConstMatrix& w, const Matrix& y) {
  Index j = 0;
  if (x.cols == kRank) {
    V factors[R][kRank];
#pragma GCC unroll 20
    for (int i = 0; i < R * kRank; ++i) factors[i / kRank][i % kRank] = all(x.row(i / kRank)[i % kRank]);
    for (; j + lanes() <= y.cols; j += lanes()) {
      V sums[R];
#pragma GCC unroll 8
      for (int r = 0; r < R; ++r) sums[r] = load(y.row(r) + j);
#pragma GCC unroll 8
      for (Index k = 0; k < kRank; ++k) {
        const V column = load(w.row(k) + j);
        hwy::Prefetch(w.row(k + kRank) + j);
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

// For a number of rows known at run time only, at most R.
template <int R>
HWY_INLINE void rank4_update_for(const ConstMatrix& x, const ConstMatrix& w, const Matrix& y) {
  if constexpr (R > 1) {
    if (x.rows < R) return rank4_update_for<R - 1>(x, w, y);
  }
  rank4_update<R>(x, w, y);
}

// Streams the weight from memory once: a block of columns of y stays in the L1 cache while rank-4 updates add to it.
// Each sum is taken in the order of k, as in the microkernel.
void gemm_by_updates(ConstMatrix x, ConstMatrix w, Matrix y) {
  constexpr Index kBlock = 512, kUpdateRows = 5;
  for (Index begin = 0; begin < y.cols; begin += kBlock) {
    const Index n = std::min(kBlock, y.cols - begin);
    for (Index r = 0; r < y.rows; ++r) std::fill_n(y.row(r) + begin, n, Real{0});
    for (Index k = 0; k < x.cols; k += kRank) {
      const Index rank = std::min(kRank, x.cols - k);
      const ConstMatrix streamed{w.row(k) + begin, rank, n, w.stride};
      for (Index r = 0; r < y.rows; r += kUpdateRows) {
        const Index rows = std::min(kUpdateRows, y.rows - r);
        rank4_update_for<kUpdateRows>({x.row(r) + k, rows, rank, x.stride}, streamed,
                                      {y.row(r) + begin, rows, n, y.stride});
      }
    }
  }
}

bool uses_split_amx([[maybe_unused]] Precision precision) {
#if DHYAN_TARGET_HAS_AMX
  return precision == Precision::kSplitBfloat16 && has_amx();
#else
  return false;
#endif
}

#if DHYAN_TARGET_HAS_AMX

void gemm_amx_by_panel(const ConstMatrix& x, const ConstMatrix& w, const RowEpilogue& epilogue, AmxCell* amx_rows) {
  AmxCell* panel = amx_rows + amx_chunk_cells<Bfloat16x3Parts>(x.cols);
  const Index chunk = amx_chunk_rows<Bfloat16x3Parts>(x.cols);
  for (Index row = 0; row < x.rows; row += chunk) {
    const Index rows = std::min(chunk, x.rows - row);
    PackRowTiles<Bfloat16x3Parts>{strided(x).from_row(row), rows, x.cols, amx_rows}(0, 1);
    for (Index column = 0; column < w.n(); column += 2 * kTileRows) {
      const Index n = std::min(2 * kTileRows, w.n() - column);
      pack_column_tiles<Bfloat16x3Parts>(strided(w.t()).from_row(column), n, x.cols, panel);
      gemm_amx_tiles<Bfloat16x3Parts>({rows, n, x.cols}, amx_rows, panel,
                                      [=](Index r, Index begin, Index width, V first, V second)
                                          HWY_ATTR { epilogue(row + r, column + begin, width, first, second); });
    }
  }
}

#endif  // DHYAN_TARGET_HAS_AMX

// Size of the packing buffer in Reals.
Index panel_buffer_size(Index inner, [[maybe_unused]] Precision precision) {
#if DHYAN_TARGET_HAS_AMX
  if (uses_split_amx(precision)) {
    return amx_chunk_cells<Bfloat16x3Parts>(inner) + column_tile_cells<Bfloat16x3Parts>(2 * kTileRows, inner);
  }
#endif
  return inner * panel_width();
}

// Packs each panel just before it is multiplied.
void gemm_by_panel(ConstMatrix x, ConstMatrix w, const Real* bias, Matrix y, [[maybe_unused]] Precision precision,
                   Real* buffer) {
  const RowEpilogue epilogue{bias, y};
#if DHYAN_TARGET_HAS_AMX
  if (uses_split_amx(precision)) return gemm_amx_by_panel(x, w, epilogue, reinterpret_cast<AmxCell*>(buffer));
#endif
  for (Index begin = 0; begin < y.cols; begin += panel_width()) {
    const Index n = std::min(panel_width(), y.cols - begin);
    pack_panel<RealOperands>(w, {0, w.m(), begin, begin + n}, buffer);
    gemm_panel<RealOperands>(x.cols, strided(x), {buffer, panel_width()}, Matrix{y.data + begin, y.rows, n, y.stride},
                             [&](Index r, V first, V second) HWY_ATTR { epilogue(r, begin, n, first, second); });
  }
}

}  // namespace
}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dhyan::kernels {

HWY_EXPORT(gemm_by_updates);
HWY_EXPORT(gemm_by_panel);
HWY_EXPORT(panel_buffer_size);
HWY_EXPORT(uses_split_amx);

void multiply_unpacked(ConstMatrix x, ConstMatrix w, std::span<const Real> bias, Matrix y, Precision precision) {
  constexpr Index kFewRows = 24;
  check_packed_gemm_shapes(x, w.m(), w.n(), bias, y);
  if (x.rows <= kFewRows && !w.transposed && !HWY_DYNAMIC_DISPATCH(uses_split_amx)(precision)) {
    HWY_DYNAMIC_DISPATCH(gemm_by_updates)(x, w, y);
    if (!bias.empty()) add_bias(y, bias, y);
    return;
  }
  thread_local ScratchBuffer panel;
  Real* buffer = panel.reserve(HWY_DYNAMIC_DISPATCH(panel_buffer_size)(w.m(), precision));
  HWY_DYNAMIC_DISPATCH(gemm_by_panel)(x, w, data_or_null(bias), y, precision, buffer);
}

void multiply_some_outputs(ConstMatrix x, ConstMatrix w, std::span<const Real> bias, std::span<const RowId> outputs,
                           Matrix y, Precision precision) {
  thread_local std::vector<Real> rows, biases;
  rows.clear(), biases.clear();
  for (const RowId j : outputs) {
    rows.insert(rows.end(), w.row(j), w.row(j) + w.cols);
    if (!bias.empty()) biases.push_back(bias[static_cast<std::size_t>(j)]);
  }
  multiply_unpacked(x, ConstMatrix{rows.data(), std::ssize(outputs), w.cols, w.cols}.t(), biases, y, precision);
}

}  // namespace dhyan::kernels
#endif  // HWY_ONCE
