#include "kernels/gemm/packed_weight.h"

#include "core/error.h"
#include "core/shape.h"
#include "kernels/gemm/column_partition.h"
#include "kernels/gemm/packed_matrix.h"
#include "kernels/gemm/unpacked_gemm.h"
#include "kernels/int8/top_k_prefilter.h"

namespace dhyan::kernels {

void check_packed_gemm_shapes(const ConstMatrix& x, Index inner, Index columns, std::span<const Real> bias,
                              const Matrix& y) {
  const bool bias_fits = bias.empty() || std::ssize(bias) == columns;
  if (!x.transposed && x.cols == inner && y.rows == x.rows && y.cols == columns && bias_fits) return;
  throw ShapeError(cat("gemm: x is ", Shape{x.m(), x.n()}, ", the weight is ", Shape{inner, columns}, ", y is ",
                       Shape{y.rows, y.cols}, ", the bias has ", bias.size()));
}

void multiply_partitioned(const PackedOperand& w, ConstMatrix x, std::span<const Real> bias, Matrix y,
                          IntraOpThreads* intra_op) {
  partition_columns({.weights = x.cols * y.cols, .rows = x.rows}, intra_op,
                    [&](const ColumnPartition& partition) { w.multiply_partition(x, bias, y, partition); });
}

PackedWeight::PackedWeight() = default;
PackedWeight::~PackedWeight() = default;

void PackedOperand::multiply(ConstMatrix x, std::span<const Real> bias, Matrix y) const {
  multiply_partition(x, bias, y, ColumnPartition());
}

void PackedWeight::multiply(ConstMatrix x, ConstMatrix w, std::span<const Real> bias, Matrix y,
                            const PackedGemmOptions& options) const {
  constexpr Index kRowsBeforePacking = 128, kWidestPanel = 64;
  Packing& packing = options.precision == Precision::kSplitBfloat16 ? split_ : full_;
  const PackedOperand* operand = packing.ready.load(std::memory_order_acquire);
  const auto few_rows = [&] {
    return packing.rows.fetch_add(x.rows, std::memory_order_relaxed) + x.rows <= kRowsBeforePacking;
  };
  if (operand == nullptr && few_rows() && !w.transposed) {
    check_packed_gemm_shapes(x, w.m(), w.n(), bias, y);
    return partition_columns({.weights = x.cols * y.cols, .rows = x.rows}, options.intra_op,
                             [&](const ColumnPartition& partition) {
                               const ColumnRange columns = columns_of(partition, w.n(), kWidestPanel);
                               multiply_unpacked(x, w.columns(columns.begin, columns.size), bias_of(bias, columns),
                                                 y.columns(columns.begin, columns.size), options.precision);
                             });
  }
  if (operand == nullptr) {
    std::call_once(packing.once, [&] {
      packing.operand = std::make_unique<PackedMatrix>(w, options.precision, options.intra_op);
      packing.ready.store(packing.operand.get(), std::memory_order_release);
    });
    operand = packing.operand.get();
  }
  multiply_partitioned(*operand, x, bias, y, options.intra_op);
}

const TopKPrefilter* PackedWeight::prefilter(ConstMatrix x, ConstMatrix w, std::span<const Real> bias) const {
  check_packed_gemm_shapes(x, w.m(), w.n(), bias, Matrix{nullptr, x.rows, w.n(), w.n()});
  if (!w.transposed || w.m() > kMaxInt8Inputs) return nullptr;
  std::call_once(prefilter_once_, [&] { prefilter_ = std::make_unique<TopKPrefilter>(w); });
  return prefilter_.get();
}

bool PackedWeight::top_k(ConstMatrix x, ConstMatrix w, std::span<const Real> bias, std::span<Ranked> top,
                         const PackedGemmOptions& options) const {
  const TopKPrefilter* filter = prefilter(x, w, bias);
  if (filter != nullptr) filter->top_k(x, bias, top, options);
  return filter != nullptr;
}

bool PackedWeight::top_k_listed(ConstMatrix x, ConstMatrix w, std::span<const Real> bias,
                                std::span<const ListedColumns> lists, std::span<Ranked> top,
                                Precision precision) const {
  const TopKPrefilter* filter = prefilter(x, w, bias);
  if (filter != nullptr) filter->top_k_listed(x, bias, lists, top, precision);
  return filter != nullptr;
}

}  // namespace dhyan::kernels
