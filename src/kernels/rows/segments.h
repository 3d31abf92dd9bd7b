#pragma once

#include "core/matrix.h"
#include "core/segments.h"

namespace dhyan::kernels {

// Reductions from the rows of a batch, x_r [R,H], to one row per sentence, s_b [B,H], and broadcasts back; r runs over
// the rows of sentence b. Matrices must not be transposed.

enum class RowWeight { one, mean };  // w_r: 1, or 1 / (length of the sentence)

void segment_sums_add(ConstMatrix x, const Segments& segments, RowWeight weight, Matrix s);  // s_b += sum_r w_r x_r
void spread_rows_add(ConstMatrix s, const Segments& segments, RowWeight weight, Matrix x);   // x_r += w_r s_b
void spread_rows(ConstMatrix s, const Segments& segments, Matrix x);                         // x_r = s_b

void multiply_segments(ConstMatrix x, ConstMatrix s, const Segments& segments, Matrix y);      // y_r = x_r s_b
void multiply_segments_add(ConstMatrix x, ConstMatrix s, const Segments& segments, Matrix y);  // y_r += x_r s_b

}  // namespace dhyan::kernels
