#pragma once

#include <span>

#include "core/matrix.h"

namespace dhyan::kernels {

struct NormWeights {
  std::span<const Real> gain;  // [H]
  std::span<const Real> bias;  // [H]; empty in RMS norm
  Real epsilon = 0;            // added to the variance, or to the mean square
};

// Statistics of every row, kept for backward; not written if empty.
struct NormRows {
  std::span<Real> mean;     // [M]; empty in RMS norm
  std::span<Real> inverse;  // [M]: 1 / standard deviation, or 1 / root mean square
};

// Where gradients are added; one without data is skipped.
struct NormGradients {
  Matrix x;     // [M,H]
  Matrix gain;  // one row
  Matrix bias;  // one row; without data in RMS norm
};

// Layer norm of every row: y = n gain + bias with n = (x - mean) inverse.
void layer_norm_rows(ConstMatrix x, const NormWeights& weights, Matrix y, NormRows rows);

// sum = a + b and y = layer norm of sum, in one pass.
void add_layer_norm_rows(ConstMatrix a, ConstMatrix b, const NormWeights& weights, Matrix sum, Matrix y);

// RMS norm of every row: y = n gain with n = x inverse.
void rms_norm_rows(ConstMatrix x, const NormWeights& weights, Matrix y, NormRows rows);

// Backward of both. With g = dy gain: dx += inverse (g - mean(g) - n mean(g n)), dgain += dy n, dbias += dy. RMS norm
// does not centre: its dx has no mean(g).
void norm_rows_backward(ConstMatrix x, NormRows rows, std::span<const Real> gain, ConstMatrix dy,
                        const NormGradients& into);

}  // namespace dhyan::kernels
