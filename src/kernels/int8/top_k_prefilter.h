#pragma once

#include <limits>
#include <mutex>
#include <span>
#include <vector>

#include "kernels/int8/int8_rows.h"
#include "kernels/rows/top_k.h"

namespace dhyan::kernels {

// |x| of a vector that is quantized to int8, and its quantization error |d|.
struct QuantizationError {
  Real norm, error;
};

// int8 approximations z_j of some outputs of a row, |w_j| of each, and the largest error of z_j for |w_j| = 1.
struct PrefilterRow {
  Index n;
  const Real *z, *norms;
  Real margin;
};

// Quantized top-k prefilter of an output layer: an int8 GEMM tells which outputs can be among the k largest, and only
// these candidates are computed in full, for all rows together. The result is that of top_k_rows on the whole GEMM, to
// the last bit.
//
// With x = x' + d and w_j = w_j' + e_j, where x' and w_j' are quantized to int8, |x w_j - x' w_j'| is at most
// |d| |w_j| + |x'| |e_j|.
class TopKPrefilter {
 public:
  explicit TopKPrefilter(ConstMatrix w);  // [I,O], the weights of an output contiguous; w must outlive this

  // The k largest of each row of x W + b; k <= O. b may be empty. NaN and infinity give any order.
  void top_k(ConstMatrix x, std::span<const Real> bias, std::span<Ranked> top,  // [M,k]
             const PackedGemmOptions& options = {}) const;

  // The same among the outputs listed for each row, k or more; each row is in one list.
  void top_k_listed(ConstMatrix x, std::span<const Real> bias, std::span<const ListedColumns> lists,
                    std::span<Ranked> top, Precision precision = Precision::kFull) const;

 private:
  struct Bounds {
    Index k;
    Real slack;                 // rounding error of adding the bias
    std::vector<Real> margins;  // [M]
  };

  // Candidates for the k largest of a row, each with its upper bound, which is at least the threshold that k outputs
  // reach.
  struct PrefilteredRow {
    Real threshold;
    std::vector<Ranked> found;

    PrefilteredRow() { clear(); }
    void clear() { threshold = -std::numeric_limits<Real>::infinity(), found.clear(); }
  };

  Bounds bounds_of(const ConstMatrix& x, std::span<const Real> bias, Index k) const;
  void prefilter(const ConstMatrix& x, std::span<const Real> bias, const Bounds& bounds, IntraOpThreads* intra_op,
                 std::span<PrefilteredRow> rows) const;
  void prefilter_partition(const QuantizedRows& x, std::span<const Real> bias, const Bounds& bounds,
                           const ColumnPartition& partition, std::span<PrefilteredRow> rows) const;
  bool keep_candidates(const Bounds& bounds, std::size_t r, PrefilteredRow& row) const;
  void rank_candidates(ConstMatrix x, std::span<const Real> bias, std::span<PrefilteredRow> rows, std::span<Ranked> top,
                       Precision precision) const;

  ConstMatrix w_;
  std::unique_ptr<const Int8Matrix> quantized_;
  mutable std::once_flag rows_once_;
  mutable std::unique_ptr<const Int8Rows> rows_;  // of quantized_, once there are lists
  std::vector<Real> norms_;                       // [O] |w_j|
  Real weight_error_ = 0;                         // the largest |e_j| / |w_j|
};

}  // namespace dhyan::kernels
