#pragma once

#include "autograd/tape.h"

namespace dhyan {

// Any shape -> same shape, element by element.
Var tanh(const Var& x);
Var sigmoid(const Var& x);
Var relu(const Var& x);
Var relu6(const Var& x);         // min(max(x, 0), 6), [sandler2018] section 4
Var gelu(const Var& x);          // in the tanh form of [hendrycks2016] section 2
Var swish(const Var& x);         // x sigmoid(x)
Var gelu_erf(const Var& x);      // x/2 (1 + erf(x/sqrt(2))), [hendrycks2016] section 2
Var gelu_sigmoid(const Var& x);  // x sigmoid(1.702 x), [hendrycks2016] section 2

// [..,kH] -> [..,H]: the largest of each k = `pool` neighbouring columns ([goodfellow2013] section 3).
Var maxout(const Var& x, Index pool);

}  // namespace dhyan
