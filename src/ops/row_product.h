#pragma once

#include "autograd/tape.h"

namespace dhyan {

enum class WeightSide { kAsStored, kTransposed };

// y = x W + b; the bias may be none. Where nothing is recorded a row of y is the same bytes whatever rows stand beside
// it, so that a sentence's translation does not depend on its batch; in training it is one plain product.
void row_product(const Tensor& x, const Var& weight, WeightSide side, const Var& bias,  // [M,I]; W [I,O] or [O,I]
                 const Tensor& y);                                                      // [M,O]

}  // namespace dhyan
