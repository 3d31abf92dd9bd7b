#pragma once

#include <span>

#include "core/matrix.h"

namespace dhyan::kernels {

// Copies and sums of whole rows, between matrices of equal width that are not transposed and do not overlap. A matrix
// may be a block of columns of a wider one.
void copy_rows(ConstMatrix from, Matrix to);  // to = from
void add_rows(ConstMatrix from, Matrix to);   // to += from

// One id per row of `to`; a negative id stands for a row of zeros.
void gather_rows(ConstMatrix from, std::span<const RowId> ids, Matrix to);      // to_i = from_{id_i}
void gather_rows_add(ConstMatrix from, std::span<const RowId> ids, Matrix to);  // to_i += from_{id_i}

// y_i = factor x_i + from_{id_i}; y may be x.
void add_gathered_to_scaled(ConstMatrix x, Real factor, ConstMatrix from, std::span<const RowId> ids, Matrix y);

// One id per row of `from`; rows with a negative id are skipped. Adds in order of i, so that sums are reproducible.
void scatter_rows_add(ConstMatrix from, std::span<const RowId> ids, Matrix to);  // to_{id_i} += from_i

// One id per column of `to`.
void gather_columns(ConstMatrix from, std::span<const RowId> ids, Matrix to);  // to_rj = from_{r,id_j}

}  // namespace dhyan::kernels
