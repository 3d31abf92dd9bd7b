#pragma once

#include <span>

#include "core/matrix.h"

namespace dhyan::kernels {

// A number of a row and where it stands.
struct Ranked {
  RowId column = 0;
  Real value = 0;

  friend bool operator==(const Ranked&, const Ranked&) = default;
};

// The k largest values of every row, largest first, equal ones in the order of their columns: k for each row of x,
// 0 <= k <= its columns. NaN has no place in an order: a row that holds one gives any of its values.
void top_k_rows(ConstMatrix x, Index k, std::span<Ranked> best);  // [rows,k]

// The same, and log Σ_j exp(x_j) of every row: log_sum_exp_rows() and top_k_rows() in half of their time.
void log_sum_and_top_k_rows(ConstMatrix x, std::span<double> log_sums, Index k, std::span<Ranked> best);

}  // namespace dhyan::kernels
