#pragma once

#include "autograd/var.h"

namespace dhyan {

// The gradient of an input, for backward to add to; without data if the input needs none.
inline Matrix wanted_grad(const Var& input) { return input.needs_grad() ? input.grad().matrix() : Matrix{}; }

}  // namespace dhyan
