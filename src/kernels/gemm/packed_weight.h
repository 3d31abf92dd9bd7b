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
struct ColumnPartition;

// A weight in a form that is made for products, once for many of them.
class PackedOperand {
 public:
  virtual ~PackedOperand() = default;

  // y = x W + b on the calling thread; b may be empty. A row of y is the same bytes whatever rows stand beside it, and
  // however many partition its columns.
  void multiply(ConstMatrix x, std::span<const Real> bias, Matrix y) const;  // [M,I] -> [M,O]
  virtual void multiply_partition(ConstMatrix x, std::span<const Real> bias, Matrix y,
                                  const ColumnPartition& partition) const = 0;
};

// The same on this thread and on intra_op, if there are any and it is worth their while.
void multiply_partitioned(const PackedOperand& w, ConstMatrix x, std::span<const Real> bias, Matrix y,
                          IntraOpThreads* intra_op);

// How a product is computed: in which precision, and by whom else.
struct PackedGemmOptions {
  Precision precision = Precision::kFull;  // or kSplitBfloat16
  IntraOpThreads* intra_op = nullptr;
};

// A weight whose values change no more. It is packed once enough rows have passed by, by whichever thread that is: a
// program that translates one sentence does not wait for it.
class PackedWeight {
 public:
  PackedWeight();
  ~PackedWeight();

  // y = x W + b, of the same w every time and the same bytes, packed or not, with intra_op or alone.
  void multiply(ConstMatrix x, ConstMatrix w, std::span<const Real> bias, Matrix y,
                const PackedGemmOptions& way = {}) const;

  // The k largest of each row of it, as top_k_rows of kernels/rows/top_k.h gives them. False, and nothing is done,
  // where the product itself is as good: if w is not stored output by output.
  bool find_best(ConstMatrix x, ConstMatrix w, std::span<const Real> bias, std::span<Ranked> best,
                 const PackedGemmOptions& way = {}) const;

 private:
  // What becomes of a weight in one precision.
  struct Packing {
    std::once_flag once;
    std::unique_ptr<const PackedOperand> factor;
    std::atomic<const PackedOperand*> ready = nullptr;
    std::atomic<Index> rows = 0;
  };

  mutable Packing full_, split_;
  mutable std::once_flag prefilter_once_;
  mutable std::unique_ptr<const TopKPrefilter> prefilter_;
};

// For those: throws ShapeError unless x [M,inner] times a weight [inner,columns] and a bias fit into y.
void expect_product(const ConstMatrix& x, Index inner, Index columns, std::span<const Real> bias, const Matrix& y);

}  // namespace dhyan::kernels
