#pragma once

#include <span>

#include "core/matrix.h"
#include "core/precision.h"

namespace dhyan::kernels {

// y = x W + b, the bytes of PackedMatrix(w, precision), for a weight that may be another next time; b may be empty. Not
// in bfloat16.
void multiply_unpacked(ConstMatrix x, ConstMatrix w, std::span<const Real> bias, Matrix y,
                       Precision precision = Precision::kFull);

}  // namespace dhyan::kernels
