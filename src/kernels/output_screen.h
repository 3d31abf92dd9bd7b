#pragma once

#include <limits>
#include <span>
#include <vector>

#include "kernels/int8_matrix.h"
#include "kernels/top_k.h"

namespace dhyan::kernels {

// Of numbers that are rounded to 8 bits: |x|, and |d| of what is lost.
struct RoundingLoss {
  Real norm, lost;
};

// Some outputs of a row by 8 bits, |w_j| of each, and how far off z_j may be for |w_j| = 1.
struct OutputsOfRow {
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
class OutputScreen {
 public:
  explicit OutputScreen(ConstMatrix w);  // [I,O], an output's numbers side by side; they must live as long

  // The k largest of each row of x W + b; k <= O. b may be empty. Numbers that are not finite give any order.
  void best(ConstMatrix x, std::span<const Real> bias, std::span<Ranked> best,  // [M,k]
            const ProductWay& way = {}) const;

 private:
  struct Bounds {
    Index k;
    Real slack;                 // for what the bias is rounded by
    std::vector<Real> margins;  // [M]
  };

  // Outputs that may be among the k largest of a row, each with the most it may be, which is what k of them reach.
  struct ScreenedRow {
    Real least;
    std::vector<Ranked> found;

    ScreenedRow() { begin_anew(); }
    void begin_anew() { least = -std::numeric_limits<Real>::infinity(), found.clear(); }
  };

  Bounds bounds_of(const ConstMatrix& x, std::span<const Real> bias, Index k) const;
  void screen(const ConstMatrix& x, std::span<const Real> bias, const Bounds& bounds, Helpers* helpers,
              std::span<ScreenedRow> rows) const;
  void screen_share(const Int8Rows& x, std::span<const Real> bias, const Bounds& bounds, const Share& share,
                    std::span<ScreenedRow> rows) const;
  void keep_candidates(const Bounds& bounds, std::size_t row, ScreenedRow& screened) const;

  ConstMatrix w_;
  std::unique_ptr<const Int8Matrix> rounded_;
  std::vector<Real> norms_;  // [O] |w_j|
  Real error_ = 0;           // the greatest |e_j| / |w_j|
};

}  // namespace dhyan::kernels
