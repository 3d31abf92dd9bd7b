#pragma once

#include <span>

#include "core/matrix.h"
#include "core/precision.h"

namespace dhyan::kernels {

struct GemmOptions {
  Real product = 1;                        // of a b
  Real before = 0;                         // of what c held; 0 overwrites it, whatever it was
  std::span<const Real> bias = {};         // added to every row; empty: none
  bool relu = false;                       // what would be negative is 0; what is not a number stays so
  Precision precision = Precision::kFull;  // of a and b
};

// c = product * a b + before * c + bias, on the calling thread. Pass x.t() for a transposed operand.
void gemm(ConstMatrix a, ConstMatrix b, Matrix c, const GemmOptions& options = {});

// The same by three plain loops, in full precision: the yardstick.
void gemm_simple(ConstMatrix a, ConstMatrix b, Matrix c, const GemmOptions& options = {});

}  // namespace dhyan::kernels
