#pragma once

#include <span>

#include "core/matrix.h"

namespace dhyan::kernels {

// Scales each row of x [M,K] to length 1, then by a strength: row r has strength r mod N.
//   y = β u with u = x / √(|x|² + epsilon);   inverse [M] is 1 / the root, kept for backward
struct UnitNormWeights {
  std::span<const Real> strength;  // [N] β
  Real epsilon = 0;
};

void unit_norm_rows(ConstMatrix x, const UnitNormWeights& weights, Matrix y, std::span<Real> inverse);

// Where gradients are added; one without data is skipped.
struct UnitNormGradients {
  Matrix x;         // [M,K]
  Matrix strength;  // one row of N
};

// dx += inverse β (dy - u (u·dy)),   dβ += u·dy
void unit_norm_rows_backward(ConstMatrix x, std::span<const Real> strength, std::span<const Real> inverse,
                             ConstMatrix dy, const UnitNormGradients& into);

}  // namespace dhyan::kernels
