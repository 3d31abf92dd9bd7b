#pragma once

#include "core/matrix.h"

namespace dhyan::kernels {

struct GemmScale {
  Real product = 1;  // of a b
  Real before = 0;   // of what c held; 0 overwrites it, whatever it was
};

// c = scale.product * a b + scale.before * c, on the calling thread. Pass x.t() for a transposed operand.
void gemm(ConstMatrix a, ConstMatrix b, Matrix c, GemmScale scale = {});

// The same by three plain loops: the yardstick.
void gemm_simple(ConstMatrix a, ConstMatrix b, Matrix c, GemmScale scale = {});

}  // namespace dhyan::kernels
