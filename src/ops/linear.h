#pragma once

#include "autograd/tape.h"

namespace dhyan {

// x W + b: [.,I], [I,O], [O] -> [.,O]. Without bias: leave it out.
//
// A parameter that is the weight of several calls in one step (a recurrent cell) gathers its rows: dW is one product
// at the end of these instead of one for each call.
Var linear(const Var& x, const Var& weight, const Var& bias = {});

// max(x W + b, 0), without keeping x W + b.
Var linear_relu(const Var& x, const Var& weight, const Var& bias);  // [.,I], [I,O], [O] -> [.,O]

}  // namespace dhyan
