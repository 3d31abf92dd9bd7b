#pragma once

#include <span>

#include "core/matrix.h"

namespace dhyan::kernels {

// Whole rows between matrices of equal width, none transposed, that do not overlap. A matrix may be a block of columns
// of a wider one: its stride says so.
void copy_rows(ConstMatrix from, Matrix to);  // to = from
void add_rows(ConstMatrix from, Matrix to);   // to += from

// One id for each row of `to`; a negative one stands for a row of zeros.
void gather_rows(ConstMatrix from, std::span<const RowId> ids, Matrix to);      // to_i = from_{id_i}
void gather_rows_add(ConstMatrix from, std::span<const RowId> ids, Matrix to);  // to_i += from_{id_i}

// Scaled, then added to, and the result may be x: y_i = factor x_i + from_{id_i}.
void add_gathered_to_scaled(ConstMatrix x, Real factor, ConstMatrix from, std::span<const RowId> ids, Matrix y);

// One id for each row of `from`; a row with a negative one goes nowhere. In order of i, so that sums are repeatable.
void scatter_rows_add(ConstMatrix from, std::span<const RowId> ids, Matrix to);  // to_{id_i} += from_i

}  // namespace dhyan::kernels
