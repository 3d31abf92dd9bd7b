#pragma once

#include "autograd/tape.h"
#include "kernels/gemm/packed_matrix.h"

namespace dhyan {

enum class WeightSide { kAsStored, kTransposed };

// y = x W + b; the bias is optional. Without a tape a row of y is the same bytes whatever other rows x has, so that a
// sentence's translation does not depend on its batch. With a tape it is one GEMM in the tape's precision, and from the
// second GEMM of a step on the weight is packed.
void row_product(const Tensor& x, const Var& weight, WeightSide side, const Var& bias,  // [M,I]; W [I,O] or [O,I]
                 const Tensor& y);                                                      // [M,O]

// The same; quantizes x once for all int8 weights that it is multiplied with.
void row_product(const Var& x, const Var& weight, WeightSide side, const Var& bias, const Tensor& y);

// y = x W + b of rows that are a part of a larger input, such as a block of patches. A row of y is the same bytes
// whatever other rows x has, with a tape too: there the weight is packed at its first use.
void weight_product(ConstMatrix x, const Var& weight, const Var& bias, Matrix y);  // [M,I]; W [I,O]; [M,O]

// Options of GEMMs with weights in a scope without a tape.
kernels::PackedGemmOptions packed_gemm_options(const Scope& scope);

// The panels of a weight of several GEMMs in a step; the first call packs them into the arena.
const kernels::PackedPanels& step_panels(const Var& weight, WeightSide side);

}  // namespace dhyan
