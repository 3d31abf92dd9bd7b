#pragma once

#include "autograd/tape.h"

namespace dhyan {

// Over the last axis. A row of -inf only gives zeros.
Var softmax(const Var& x);      // [.,N] -> [.,N]
Var log_softmax(const Var& x);  // [.,N] -> [.,N]

}  // namespace dhyan
