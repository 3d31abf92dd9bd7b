#pragma once

#include "kernels/int8/int8_matrix.h"

namespace dhyan::kernels {

// The k largest of each row of x W + b, as top_k_rows gives them, without storing x W + b. b may be empty.
void int8_top_k(const Int8Matrix& w, ConstMatrix x, std::span<const Real> bias, std::span<Ranked> top,  // [M,k]
                IntraOpThreads* intra_op = nullptr);

}  // namespace dhyan::kernels
