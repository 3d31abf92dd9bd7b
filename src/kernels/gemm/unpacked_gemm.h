#pragma once

#include <span>

#include "core/matrix.h"
#include "core/precision.h"

namespace dhyan::kernels {

// y = x W + b without prepacking, for a weight that may change: the same bytes as PackedMatrix(w, precision). b may be
// empty. Not for kBfloat16.
void multiply_unpacked(ConstMatrix x, ConstMatrix w, std::span<const Real> bias, Matrix y,
                       Precision precision = Precision::kFull);

// The same for some outputs of a weight that is stored output by output.
void multiply_some_outputs(ConstMatrix x, ConstMatrix w, std::span<const Real> bias, std::span<const RowId> outputs,
                           Matrix y, Precision precision = Precision::kFull);

}  // namespace dhyan::kernels
