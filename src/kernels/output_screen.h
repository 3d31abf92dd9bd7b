#pragma once

#include <span>
#include <vector>

#include "kernels/int8_matrix.h"
#include "kernels/top_k.h"

namespace dhyan::kernels {

// Of numbers that are rounded to 8 bits: |x|, and |d| of what is lost.
struct RoundingLoss {
  Real norm, lost;
};

// Finds the largest outputs of a product without computing all of it in full: 8 bits tell which outputs may be among
// them, and only these are computed, for all rows together. What it gives is what top_k_rows gives of the
// whole product, to the last bit.
//
// With x = x' + d and w_j = w_j' + e_j, where the former of each are rounded to 8 bits, x w_j cannot be further from
// x' w_j' than |d| |w_j| + |x'| |e_j|.
class OutputScreen {
 public:
  explicit OutputScreen(ConstMatrix w);  // [I,O], an output's numbers side by side; they must live as long

  // The k largest of each row of x W + b, by way of room [M,O]; k <= O. b may be empty. Numbers that are not finite
  // give any order.
  void best(ConstMatrix x, std::span<const Real> bias, Matrix room, std::span<Ranked> best,  // [M,k]
            const ProductWay& way = {}) const;

 private:
  // Outputs that may be among the k largest of a row, of which z are those of 8 bits.
  void add_candidates(const Real* x, const Real* z, Index k, Real largest_bias, std::vector<RowId>& to) const;

  ConstMatrix w_;
  std::unique_ptr<const Int8Matrix> rounded_;
  std::vector<Real> norms_;  // [O] |w_j|
  Real error_ = 0;           // the greatest |e_j| / |w_j|
};

}  // namespace dhyan::kernels
