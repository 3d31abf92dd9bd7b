#pragma once

#include "kernels/int8/int8_matrix.h"

namespace dhyan::kernels {

// The k largest of each row of x W + b: what top_k_rows gives of the whole product, which never exists. b may be empty.
void int8_top_k(const Int8Matrix& w, ConstMatrix x, std::span<const Real> bias, std::span<Ranked> best,  // [M,k]
                IntraOpThreads* intra_op = nullptr);

}  // namespace dhyan::kernels
