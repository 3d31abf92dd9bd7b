#pragma once

#include "kernels/gemm/gemm.h"

namespace dhyan::kernels {

// Throws ShapeError unless a b can be stored in c.
void check_gemm_shapes(const ConstMatrix& a, const ConstMatrix& b, const Matrix& c);

}  // namespace dhyan::kernels
