#pragma once

#include <span>

#include "core/matrix.h"

namespace dhyan::kernels {

// Softmax of every row, y_j = exp(x_j) / sum_k exp(x_k), without overflow. A fully masked row, all -inf, gives zeros. x
// and y have the same shape and may be the same storage.
void softmax_rows(ConstMatrix x, Matrix y);

// dx_j += y_j (dy_j - sum_k y_k dy_k)
void softmax_rows_backward(ConstMatrix y, ConstMatrix dy, Matrix dx);

// y_j = x_j - log sum_k exp(x_k) of every row; y may be x. A row of -inf stays -inf.
void log_softmax_rows(ConstMatrix x, Matrix y);

// dx_j += dy_j - exp(y_j) sum_k dy_k
void log_softmax_rows_backward(ConstMatrix y, ConstMatrix dy, Matrix dx);

// y_r = log sum_k exp(x_rk), for callers that need only some elements of log_softmax: log p_j = x_j - y. x has at least
// one column.
void log_sum_exp_rows(ConstMatrix x, std::span<double> y);

}  // namespace dhyan::kernels
