#pragma once

#include "autograd/tape.h"

namespace dhyan {

// y = x w. Where nothing is recorded a row of y is the same bytes whatever rows stand beside it, so that a sentence's
// translation does not depend on its batch; in training it is one plain product.
void row_product(const Scope& scope, const Tensor& x, ConstMatrix w, const Tensor& y);  // [M,I] [I,O] -> [M,O]

}  // namespace dhyan
