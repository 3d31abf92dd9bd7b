#pragma once

#include "autograd/var.h"

namespace dhyan {

// Where backward of an op with several inputs adds for one of them; without data if that input needs no gradient.
inline Matrix wanted_grad(const Var& input) { return input.needs_grad() ? input.grad().matrix() : Matrix{}; }

}  // namespace dhyan
