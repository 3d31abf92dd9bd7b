#pragma once

#include <span>

#include "core/real.h"

namespace dhyan::kernels {

// An activation that follows a convolution in the same pass.
enum class Rectifier {
  kNone,
  kRelu,   // max(x, 0)
  kRelu6,  // min(max(x, 0), 6)
};

void rectify(Rectifier rectifier, std::span<Real> y);  // in place; NaN stays NaN

// dy_i = 0 where the rectifier, whose result is y, is constant.
void rectify_backward(Rectifier rectifier, std::span<const Real> y, std::span<Real> dy);

}  // namespace dhyan::kernels
