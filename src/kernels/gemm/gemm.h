#pragma once

#include <span>

#include "core/matrix.h"
#include "core/precision.h"

namespace dhyan::kernels {

struct GemmOptions {
  Real alpha = 1;
  Real beta = 0;                           // 0 overwrites c, even NaN
  std::span<const Real> bias = {};         // added to every row; empty: none
  bool relu = false;                       // max(c, 0) after the bias; NaN stays NaN
  Precision precision = Precision::kFull;  // of a and b
};

// In full precision, unless b is transposed, a sum of at most so many products is taken in the order of k; a longer one
// is cut.
inline constexpr Index kGemmBlockK = 512;

// c = alpha a b + beta c + bias, then ReLU, on the calling thread. Pass x.t() for a transposed operand.
void gemm(ConstMatrix a, ConstMatrix b, Matrix c, const GemmOptions& options = {});

// The reference: three plain loops in full precision.
void gemm_simple(ConstMatrix a, ConstMatrix b, Matrix c, const GemmOptions& options = {});

}  // namespace dhyan::kernels
