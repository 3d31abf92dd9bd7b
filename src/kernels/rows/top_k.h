#pragma once

#include <limits>
#include <span>

#include "core/matrix.h"

namespace dhyan::kernels {

// An entry of a top-k list: a value and its column.
struct Ranked {
  RowId column = 0;
  Real value = 0;

  friend bool operator==(const Ranked&, const Ranked&) = default;
};

// Fills a list that has fewer entries than it could.
inline constexpr Ranked kNoWord{-1, -std::numeric_limits<Real>::infinity()};

// Rows [begin,end) of a matrix, and the only columns that count there, ascending.
struct ListedColumns {
  Index begin = 0, end = 0;
  std::span<const RowId> columns;
};

// Top-k: the k largest values of every row, largest first, equal values in the order of their columns; 0 <= k <=
// columns. A row with NaN gives any of its values.
void top_k_rows(ConstMatrix x, Index k, std::span<Ranked> top);  // [rows,k]

// top_k_rows() and log_sum_exp_rows() together, in half their time.
void log_sum_and_top_k_rows(ConstMatrix x, std::span<double> log_sums, Index k, std::span<Ranked> top);

}  // namespace dhyan::kernels
