#pragma once

#include "autograd/tape.h"
#include "kernels/gemm/packed_matrix.h"

namespace dhyan {

enum class WeightSide { kAsStored, kTransposed };

// y = x W + b; the bias may be none. Where nothing is recorded a row of y is the same bytes whatever rows stand beside
// it, so that a sentence's translation does not depend on its batch; in training it is one plain product in the tape's
// precision, and from the second product of a step on the weight is packed.
void row_product(const Tensor& x, const Var& weight, WeightSide side, const Var& bias,  // [M,I]; W [I,O] or [O,I]
                 const Tensor& y);                                                      // [M,O]

// Of a value that meets several weights: for those of 8 bits its rows are rounded once.
void row_product(const Var& x, const Var& weight, WeightSide side, const Var& bias, const Tensor& y);

// How products with weights are computed in a scope without a tape.
kernels::PackedGemmOptions way_of(const Scope& scope);

// The panels of a weight of several products in a step, made in its arena when first asked for.
const kernels::PackedPanels& step_panels(const Var& weight, WeightSide side);

}  // namespace dhyan
