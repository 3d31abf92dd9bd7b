#pragma once

#include <limits>
#include <span>
#include <vector>

#include "kernels/int8/int8_matrix.h"
#include "kernels/rows/top_k.h"

namespace dhyan::kernels {

// Of values that are rounded to 8 bits: |x|, and |d| of what is lost.
struct QuantizationError {
  Real norm, lost;
};

// Some outputs of a row by 8 bits, |w_j| of each, and how far off z_j may be for |w_j| = 1.
struct PrefilterRow {
  Index n;
  const Real *z, *norms;
  Real margin;
};

// Finds the largest outputs of a product without computing all of it in full: 8 bits tell which outputs may be among
// them, and only these are computed, for all rows together. What it gives is what top_k_rows gives of the
// whole product, to the last bit.
//
// With x = x' + d and w_j = w_j' + e_j, where the former of each are rounded to 8 bits, x w_j cannot be further from
// x' w_j' than |d| |w_j| + |x'| |e_j|.
class TopKPrefilter {
 public:
  explicit TopKPrefilter(ConstMatrix w);  // [I,O], an output's values side by side; they must live as long

  // The k largest of each row of x W + b; k <= O. b may be empty. Operands that are not finite give any order.
  void best(ConstMatrix x, std::span<const Real> bias, std::span<Ranked> best,  // [M,k]
            const PackedGemmOptions& way = {}) const;

 private:
  struct Bounds {
    Index k;
    Real slack;                 // for what the bias is rounded by
    std::vector<Real> margins;  // [M]
  };

  // Outputs that may be among the k largest of a row, each with the most it may be, which is what k of them reach.
  struct PrefilteredRow {
    Real least;
    std::vector<Ranked> found;

    PrefilteredRow() { begin_anew(); }
    void begin_anew() { least = -std::numeric_limits<Real>::infinity(), found.clear(); }
  };

  Bounds bounds_of(const ConstMatrix& x, std::span<const Real> bias, Index k) const;
  void prefilter(const ConstMatrix& x, std::span<const Real> bias, const Bounds& bounds, IntraOpThreads* intra_op,
                 std::span<PrefilteredRow> rows) const;
  void prefilter_partition(const QuantizedRows& x, std::span<const Real> bias, const Bounds& bounds,
                           const ColumnPartition& partition, std::span<PrefilteredRow> rows) const;
  void keep_candidates(const Bounds& bounds, std::size_t row, PrefilteredRow& screened) const;

  ConstMatrix w_;
  std::unique_ptr<const Int8Matrix> rounded_;
  std::vector<Real> norms_;  // [O] |w_j|
  Real error_ = 0;           // the greatest |e_j| / |w_j|
};

}  // namespace dhyan::kernels
