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

// Cache blocking (BLIS's k_C, n_C, m_C), in cells: a packed block of b and the rows of a it meets stay in the L2 cache.
constexpr Index kBlockK = kGemmBlockK, kBlockN = 256, kBlockM = 8 * kMicrokernelRows;
constexpr Index kFewRows = 8;  // packing does not pay off for fewer

// c = alpha sum + beta c + bias, then ReLU if asked for
struct Epilogue {
  Matrix c;
  Real alpha, beta;
  const Real* bias;  // null: none
  bool relu;

  HWY_INLINE void operator()(Index r, Index begin, Index n, V first, V second) const {
    first = hn::Mul(first, all(alpha)), second = hn::Mul(second, all(alpha));
    Real* to = c.row(r) + begin;
    V other0 = hn::Zero(D()), other1 = hn::Zero(D());
    if (beta != 0) {
      load_pair(to, n, other0, other1);
      first = hn::MulAdd(all(beta), other0, first), second = hn::MulAdd(all(beta), other1, second);
    }
    if (bias != nullptr) {
      load_pair(bias + begin, n, other0, other1);
      first = hn::Add(first, other0), second = hn::Add(second, other1);
    }
    if (relu) first = positive(first), second = positive(second);
    store_pair(first, second, to, n);
  }

  // For the block [k, k_end) of K: beta belongs to the first block, bias and ReLU to the last.
  Epilogue for_k_block(Index k, Index k_end, Index K) const {
    return {c, alpha, k > 0 ? 1 : beta, k_end == K ? bias : nullptr, k_end == K && relu};
  }

  static HWY_INLINE V positive(V x) { return hn::IfThenZeroElse(hn::Lt(x, hn::Zero(D())), x); }
};

// One dot product per element: rows of a times rows of b.
void gemm_by_dots(const ConstMatrix& a, const ConstMatrix& b, const Epilogue& epilogue) {
  const Matrix& c = epilogue.c;
  const auto multiply = [](V x, V y) HWY_ATTR { return hn::Mul(x, y); };
  for (Index i = 0; i < c.rows; ++i) {
    for (Index j = 0; j < c.cols; ++j) {
      Real& to = c.row(i)[j];
      Real sum = epilogue.alpha * sum_of(a.cols, multiply, a.row(i), b.row(j));
      if (epilogue.beta != 0) sum += epilogue.beta * to;
      if (epilogue.bias != nullptr) sum += epilogue.bias[j];
      to = epilogue.relu && sum < 0 ? 0 : sum;
    }
  }
}

// Reads the panels of b unpacked; packs only the last, if it is not full.
void gemm_unpacked(const ConstMatrix& a, const ConstMatrix& b, const Epilogue& epilogue, Real* buffer) {
  for (Index begin = 0; begin < b.cols; begin += panel_width()) {
    const Index n = std::min(panel_width(), b.cols - begin);
    Panel<Real> panel{b.data + begin, b.stride};
    if (n < panel_width()) {
      pack_panel<RealOperands>(b, {0, b.rows, begin, begin + n}, buffer);
      panel = {buffer, panel_width()};
    }
    gemm_panel<RealOperands>(b.rows, strided(a), panel,
                             Matrix{epilogue.c.data + begin, epilogue.c.rows, n, epilogue.c.stride},
                             [&](Index r, V first, V second) HWY_ATTR { epilogue(r, begin, n, first, second); });
  }
}

template <class Operands, class Cell = typename Operands::Cell>
StridedMatrix<Cell> pack_left(const StridedMatrix<Real>& a, Index rows, Index inner, Cell* to) {
  if (a.k_stride == 1) return pack_left_rows<Operands>(a, rows, inner, to);
  for_rows_of_cells<Operands>(a.data, a.k_stride, inner, rows,
                              [&](const Real* row, const Real* next, Index cell) HWY_ATTR {
                                for (Index r = 0; r < rows; r += panel_width()) {
                                  pack_row<Operands>(row + r, next == nullptr ? nullptr : next + r,
                                                     std::min(panel_width(), rows - r), to + cell * kBlockM + r);
                                }
                              });
  return {to, 1, kBlockM};
}

template <class Operands, class Cell = typename Operands::Cell>
HWY_INLINE StridedMatrix<Cell> left_operand(const ConstMatrix& a, const MatrixBlock& block, Cell* to) {
  const StridedMatrix<Real> left = strided(a).from_row(block.row).from_column(block.column);
  if constexpr (Operands::kReadsUnpacked) {
    if (!has_cache_conflicts(a)) return left;
  }
  return pack_left<Operands>(left, block.row_end - block.row, block.column_end - block.column, to);
}

template <class Operands, class Cell = typename Operands::Cell>
void gemm_packed(const ConstMatrix& a, const ConstMatrix& b, const Epilogue& whole, Cell* buffer) {
  constexpr Index kBlockValues = kBlockK * Operands::kValuesPerCell;
  const Index M = a.m(), K = a.n(), N = b.n();
  Cell* packed_rows = buffer + kBlockK * (kBlockN + panel_width());
  for (Index k = 0; k < K; k += kBlockValues) {
    const Index k_end = std::min(k + kBlockValues, K);
    const Epilogue epilogue = whole.for_k_block(k, k_end, K);
    for (Index n = 0; n < N; n += kBlockN) {
      const Index n_end = std::min(n + kBlockN, N);
      pack<Operands>(b, {k, k_end, n, n_end}, buffer);
      for (Index m = 0; m < M; m += kBlockM) {
        const Index m_end = std::min(m + kBlockM, M);
        gemm_packed_panels<Operands>({cells_of<Operands>(k_end - k), kMicrokernelRows},
                                     left_operand<Operands>(a, {m, m_end, k, k_end}, packed_rows), buffer,
                                     Matrix{epilogue.c.row(m) + n, m_end - m, n_end - n, epilogue.c.stride},
                                     [&](Index r, Index begin, Index width, V first, V second)
                                         HWY_ATTR { epilogue(m + r, n + begin, width, first, second); });
      }
    }
  }
}

#if DHYAN_TARGET_HAS_AMX

// Cache blocking for AMX: a packed block of b fills the L2 cache; two AMX tiles of rows of a are multiplied at once.
constexpr Index kAmxBlockN = 512, kAmxBlockM = 2 * kTileRows;

template <class Parts>
constexpr Index kAmxBlockK = Parts::kParts > 1 ? 256 : 512;

template <class Parts>
Index amx_buffer_size() {
  return column_tile_cells<Parts>(kAmxBlockN, kAmxBlockK<Parts>) +
         2 * row_tile_cells<Parts>(kAmxBlockM, kAmxBlockK<Parts>);
}

// c = a b or, with the operands swapped, cᵀ = bᵀ aᵀ; a and b are the operands as multiplied.
template <class Parts, SwapOperands kSwap>
void gemm_amx_blocked(const ConstMatrix& a, const ConstMatrix& b, const Epilogue& whole, AmxCell* buffer) {
  constexpr Index kBlockInner = kAmxBlockK<Parts>;
  const Index M = a.m(), K = a.n(), N = b.n();
  AmxCell* rows = buffer + column_tile_cells<Parts>(kAmxBlockN, kBlockInner);
  AmxCell* next_rows = rows + row_tile_cells<Parts>(kAmxBlockM, kBlockInner);
  for (Index k = 0; k < K; k += kBlockInner) {
    const Index inner = std::min(kBlockInner, K - k);
    const Epilogue epilogue = whole.for_k_block(k, k + inner, K);
    for (Index n = 0; n < N; n += kAmxBlockN) {
      const Index columns = std::min(kAmxBlockN, N - n);
      const auto rows_from = [&](Index m, AmxCell* to) HWY_ATTR {
        const Index block_rows = std::clamp<Index>(M - m, 0, kAmxBlockM);
        return PackRowTiles<Parts>{strided(a).from_row(m).from_column(k), block_rows, inner, to};
      };
      pack_column_tiles<Parts>(strided(b.t()).from_row(n).from_column(k), columns, inner, buffer);
      rows_from(0, rows)(0, 1);
      for (Index m = 0; m < M; m += kAmxBlockM, std::swap(rows, next_rows)) {
        const Index block_rows = std::min(kAmxBlockM, M - m), row = kSwap == SwapOperands::kNo ? m : n,
                    column = m + n - row;
        const auto epilogue_here = [=](Index r, Index begin, Index width, V first, V second)
                                       HWY_ATTR { epilogue(row + r, column + begin, width, first, second); };
        gemm_amx_tiles<Parts, kSwap>({block_rows, columns, inner}, rows, buffer, epilogue_here,
                                     rows_from(m + kAmxBlockM, next_rows));
      }
    }
  }
}

// Estimated packing work: rows of the left operand are packed once per block of columns, and an operand whose AMX tiles
// must be transposed costs three times as much.
Index packing_work(const ConstMatrix& a, const ConstMatrix& b) {
  const Index times = (b.n() + kAmxBlockN - 1) / kAmxBlockN;
  return a.m() * times * (a.transposed ? 3 : 1) + b.n() * (b.transposed ? 3 : 1);
}

template <class Parts>
void gemm_amx(const ConstMatrix& a, const ConstMatrix& b, const Epilogue& epilogue, AmxCell* buffer) {
  const Index swapping =
      a.m() * b.n() / (4 * std::min(a.n(), kAmxBlockK<Parts>));  // mostly overlaps with the multiplication
  if (packing_work(a, b) <= packing_work(b.t(), a.t()) + swapping) {
    gemm_amx_blocked<Parts, SwapOperands::kNo>(a, b, epilogue, buffer);
  } else {
    gemm_amx_blocked<Parts, SwapOperands::kYes>(b.t(), a.t(), epilogue, buffer);
  }
}

#endif  // DHYAN_TARGET_HAS_AMX

// Size in Reals; a cell is not larger than a Real.
Index gemm_buffer_size() {
  const Index plain = kBlockK * (kBlockN + panel_width()) + kBlockM * (kBlockK + kRowPadding);
#if DHYAN_TARGET_HAS_AMX
  if (has_amx()) return std::max({plain, amx_buffer_size<Bfloat16Parts>(), amx_buffer_size<Bfloat16x3Parts>()});
#endif
  return plain;
}

void gemm_blocks(const ConstMatrix& a, const ConstMatrix& b, const Matrix& c, const GemmOptions& options,
                 Real* buffer) {
  const Epilogue epilogue{c, options.alpha, options.beta, options.bias.empty() ? nullptr : options.bias.data(),
                          options.relu};
#if DHYAN_TARGET_HAS_AMX
  const auto with_amx = [&](auto parts)
                            HWY_ATTR { gemm_amx<decltype(parts)>(a, b, epilogue, reinterpret_cast<AmxCell*>(buffer)); };
  if (dispatch_amx(options.precision, with_amx)) return;
#endif
  if (options.precision != Precision::kBfloat16) {
    if (c.rows < kFewRows && b.transposed && !a.transposed) return gemm_by_dots(a, b, epilogue);
    if (c.rows < 4 * kFewRows && !b.transposed && a.n() <= kBlockK) return gemm_unpacked(a, b, epilogue, buffer);
  }
  dispatch_operands(options.precision, [&](auto operands) HWY_ATTR {
    using Operands = decltype(operands);
    gemm_packed<Operands>(a, b, epilogue, reinterpret_cast<typename Operands::Cell*>(buffer));
  });
}

}  // namespace
}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dhyan::kernels {

HWY_EXPORT(gemm_buffer_size);
HWY_EXPORT(gemm_blocks);

void gemm(ConstMatrix a, ConstMatrix b, Matrix c, const GemmOptions& options) {
  check_gemm_shapes(a, b, c);
  if (c.rows == 0 || c.cols == 0) return;
  if (a.n() == 0) return gemm_simple(a, b, c, options);
  thread_local const Tensor buffer = Tensor::uninitialized({HWY_DYNAMIC_DISPATCH(gemm_buffer_size)()});
  HWY_DYNAMIC_DISPATCH(gemm_blocks)(a, b, c, options, buffer.data());
}

}  // namespace dhyan::kernels
#endif  // HWY_ONCE
