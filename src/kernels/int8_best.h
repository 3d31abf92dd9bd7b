#pragma once

#include "kernels/int8_matrix.h"

namespace dhyan::kernels {

// The k largest of each row of x W + b: what top_k_rows gives of the whole product, which never exists. b may be empty.
void best_of_product(const Int8Matrix& w, ConstMatrix x, std::span<const Real> bias, std::span<Ranked> best,  // [M,k]
                     Helpers* helpers = nullptr);

}  // namespace dhyan::kernels
