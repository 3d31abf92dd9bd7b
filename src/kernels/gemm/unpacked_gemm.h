#pragma once

#include <span>

#include "core/matrix.h"
#include "core/precision.h"

namespace dhyan::kernels {

// y = x W + b without prepacking, for a weight that may change: the same bytes as PackedMatrix(w, precision). b may be
// empty. Not for kBfloat16.
void multiply_unpacked(ConstMatrix x, ConstMatrix w, std::span<const Real> bias, Matrix y,
                       Precision precision = Precision::kFull);

}  // namespace dhyan::kernels
