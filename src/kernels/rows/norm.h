#pragma once

#include <span>

#include "core/matrix.h"

namespace dhyan::kernels {

struct NormWeights {
  std::span<const Real> gain;  // [H]
  std::span<const Real> bias;  // [H]; none in RMS norm
  Real epsilon = 0;            // added to the variance, or to the mean square
};

// What is kept of every row for backward; nothing where both are empty.
struct NormRows {
  std::span<Real> mean;     // [M]; empty in RMS norm, which has none
  std::span<Real> inverse;  // [M]: 1 / standard deviation, or 1 / root mean square
};

// Where gradients are added. One without data is not wanted.
struct NormGradients {
  Matrix x;     // [M,H]
  Matrix gain;  // one row
  Matrix bias;  // one row; none in RMS norm
};

// y = n gain + bias with n = (x - mean) inverse, of every row.
void layer_norm_rows(ConstMatrix x, const NormWeights& weights, Matrix y, NormRows rows);

// sum = a + b and the same of it, in one pass.
void add_layer_norm_rows(ConstMatrix a, ConstMatrix b, const NormWeights& weights, Matrix sum, Matrix y);

// y = n gain with n = x inverse, of every row.
void rms_norm_rows(ConstMatrix x, const NormWeights& weights, Matrix y, NormRows rows);

// Of both. With g = dy gain: dx += inverse (g - mean(g) - n mean(g n)), dgain += dy n, dbias += dy. In RMS norm, which
// does not centre, mean(g) stays in.
void norm_rows_backward(ConstMatrix x, NormRows rows, std::span<const Real> gain, ConstMatrix dy,
                        const NormGradients& into);

}  // namespace dhyan::kernels
