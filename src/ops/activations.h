#pragma once

#include "autograd/tape.h"

namespace dhyan {

Var tanh(const Var& x);  // any shape -> same shape

}  // namespace dhyan
