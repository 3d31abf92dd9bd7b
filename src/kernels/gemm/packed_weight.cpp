#include "kernels/gemm/packed_weight.h"

#include "core/error.h"
#include "core/shape.h"
#include "kernels/gemm/column_partition.h"
#include "kernels/gemm/packed_matrix.h"
#include "kernels/gemm/unpacked_gemm.h"
#include "kernels/int8/top_k_prefilter.h"

namespace dhyan::kernels {

void expect_product(const ConstMatrix& x, Index inner, Index columns, std::span<const Real> bias, const Matrix& y) {
  const bool bias_fits = bias.empty() || std::ssize(bias) == columns;
  if (!x.transposed && x.cols == inner && y.rows == x.rows && y.cols == columns && bias_fits) return;
  throw ShapeError(cat("product: x is ", Shape{x.m(), x.n()}, ", the weight ", Shape{inner, columns}, ", y ",
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
                            const PackedGemmOptions& way) const {
  constexpr Index kRowsBeforePacking = 128, kWidestPanel = 64;
  Packing& packing = way.precision == Precision::kSplitBfloat16 ? split_ : full_;
  const PackedOperand* factor = packing.ready.load(std::memory_order_acquire);
  const auto few = [&] {
    return packing.rows.fetch_add(x.rows, std::memory_order_relaxed) + x.rows <= kRowsBeforePacking;
  };
  if (factor == nullptr && few() && !w.transposed) {
    expect_product(x, w.m(), w.n(), bias, y);
    return partition_columns({.weights = x.cols * y.cols, .rows = x.rows}, way.intra_op,
                             [&](const ColumnPartition& partition) {
                               const ColumnRange some = columns_of(partition, w.n(), kWidestPanel);
                               multiply_unpacked(x, w.columns(some.begin, some.size), some_of(bias, some),
                                                 y.columns(some.begin, some.size), way.precision);
                             });
  }
  if (factor == nullptr) {
    std::call_once(packing.once, [&] {
      packing.factor = std::make_unique<PackedMatrix>(w, way.precision, way.intra_op);
      packing.ready.store(packing.factor.get(), std::memory_order_release);
    });
    factor = packing.factor.get();
  }
  multiply_partitioned(*factor, x, bias, y, way.intra_op);
}

bool PackedWeight::find_best(ConstMatrix x, ConstMatrix w, std::span<const Real> bias, std::span<Ranked> best,
                             const PackedGemmOptions& way) const {
  expect_product(x, w.m(), w.n(), bias, Matrix{nullptr, x.rows, w.n(), w.n()});
  if (!w.transposed || w.m() > kMostInt8Inputs) return false;
  std::call_once(prefilter_once_, [&] { prefilter_ = std::make_unique<TopKPrefilter>(w); });
  prefilter_->best(x, bias, best, way);
  return true;
}

}  // namespace dhyan::kernels
