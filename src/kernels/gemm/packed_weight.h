#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <span>

#include "core/matrix.h"
#include "core/precision.h"

namespace dhyan {
class IntraOpThreads;
}

namespace dhyan::kernels {

class TopKPrefilter;
struct Ranked;
struct ListedColumns;
struct ColumnPartition;

// A weight prepacked for many GEMMs.
class PackedOperand {
 public:
  virtual ~PackedOperand() = default;

  // y = x W + b on the calling thread; b may be empty. A row of y is the same bytes whatever other rows x has, and
  // however the columns are partitioned.
  void multiply(ConstMatrix x, std::span<const Real> bias, Matrix y) const;  // [M,I] -> [M,O]
  virtual void multiply_partition(ConstMatrix x, std::span<const Real> bias, Matrix y,
                                  const ColumnPartition& partition) const = 0;
};

// The same on this thread and, if it pays off, on idle intra-op threads.
void multiply_partitioned(const PackedOperand& w, ConstMatrix x, std::span<const Real> bias, Matrix y,
                          IntraOpThreads* intra_op);

struct PackedGemmOptions {
  Precision precision = Precision::kFull;  // or kSplitBfloat16
  IntraOpThreads* intra_op = nullptr;
};

// A constant weight. The thread that multiplies the 128th row packs it, so that a program that translates one sentence
// does not wait for packing.
class PackedWeight {
 public:
  PackedWeight();
  ~PackedWeight();

  // y = x W + b. Every call must pass the same w. The same bytes packed or not, on any number of threads.
  void multiply(ConstMatrix x, ConstMatrix w, std::span<const Real> bias, Matrix y,
                const PackedGemmOptions& options = {}) const;

  // The k largest of each row of x W + b, as top_k_rows of kernels/rows/top_k.h gives them. False, and nothing is done,
  // if the whole GEMM is as fast: if w is not stored output by output.
  bool top_k(ConstMatrix x, ConstMatrix w, std::span<const Real> bias, std::span<Ranked> top,
             const PackedGemmOptions& options = {}) const;

  // The same among the outputs listed for each row, k or more; each row is in one list.
  bool top_k_listed(ConstMatrix x, ConstMatrix w, std::span<const Real> bias, std::span<const ListedColumns> lists,
                    std::span<Ranked> top, Precision precision) const;

 private:
  // The packed weight in one precision.
  struct Packing {
    std::once_flag once;
    std::unique_ptr<const PackedOperand> operand;
    std::atomic<const PackedOperand*> ready = nullptr;
    std::atomic<Index> rows = 0;
  };

  // Null if the weight is not stored output by output.
  const TopKPrefilter* prefilter(ConstMatrix x, ConstMatrix w, std::span<const Real> bias) const;

  mutable Packing full_, split_;
  mutable std::once_flag prefilter_once_;
  mutable std::unique_ptr<const TopKPrefilter> prefilter_;
};

// Throws ShapeError unless x [M,inner] times a weight [inner,columns] plus bias fits y.
void check_packed_gemm_shapes(const ConstMatrix& x, Index inner, Index columns, std::span<const Real> bias,
                              const Matrix& y);

}  // namespace dhyan::kernels
