#pragma once

#include "core/matrix.h"

namespace dhyan::kernels {

struct GemmScale {
  Real product = 1;  // of a b
  Real before = 0;   // of what c held; 0 overwrites it, whatever it was
};

// c = scale.product * a b + scale.before * c, on the calling thread. Pass x.t() for a transposed operand.
// By the backend chosen when dhyan was built: oneDNN, OpenBLAS or gemm_simple.
void gemm(ConstMatrix a, ConstMatrix b, Matrix c, GemmScale scale = {});

// The same by three plain loops: the yardstick of the backends, and the backend where Real is double.
void gemm_simple(ConstMatrix a, ConstMatrix b, Matrix c, GemmScale scale = {});

// "oneDNN 2.6.3", "OpenBLAS 0.3.21", "simple"; for reports.
const char* gemm_backend();

}  // namespace dhyan::kernels
