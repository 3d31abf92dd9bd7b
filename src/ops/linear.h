#pragma once

#include "autograd/tape.h"

namespace dhyan {

// x W + b: [.,I], [I,O], [O] -> [.,O]. The bias is optional.
//
// If a parameter is the weight of several calls in one step (a recurrent cell), backward gathers their rows and
// computes dW by one GEMM instead of one for each call.
Var linear(const Var& x, const Var& weight, const Var& bias = {});

// max(x W + b, 0); never stores x W + b.
Var linear_relu(const Var& x, const Var& weight, const Var& bias);  // [.,I], [I,O], [O] -> [.,O]

}  // namespace dhyan
