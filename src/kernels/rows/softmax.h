#pragma once

#include <span>

#include "core/matrix.h"

namespace dhyan::kernels {

// y_j = exp(x_j) / sum_k exp(x_k) of every row, without overflow. A row of -inf only, where nothing may be looked at,
// gives zeros. x and y have the same extents and may be the same storage.
void softmax_rows(ConstMatrix x, Matrix y);

// dx_j += y_j (dy_j - sum_k y_k dy_k)
void softmax_rows_backward(ConstMatrix y, ConstMatrix dy, Matrix dx);

// y_j = x_j - log sum_k exp(x_k) of every row; the same for storage. A row of -inf stays one.
void log_softmax_rows(ConstMatrix x, Matrix y);

// dx_j += dy_j - exp(y_j) sum_k dy_k
void log_softmax_rows_backward(ConstMatrix y, ConstMatrix dy, Matrix dx);

// y_r = log sum_k exp(x_rk), for those who need only some of log_softmax: log p_j = x_j - y. One y for each row; x has
// columns.
void log_sum_exp_rows(ConstMatrix x, std::span<double> y);

}  // namespace dhyan::kernels
