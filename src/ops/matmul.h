#pragma once

#include "autograd/tape.h"

namespace dhyan {

enum class Transpose { kNo, kYes };

// op(a) op(b): [M,K], [K,N] -> [M,N], each operand as it is or transposed.
Var matmul(const Var& a, Transpose transpose_a, const Var& b, Transpose transpose_b);
Var matmul(const Var& a, const Var& b);  // neither transposed

}  // namespace dhyan
