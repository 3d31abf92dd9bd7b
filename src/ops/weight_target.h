#pragma once

#include "autograd/var.h"

namespace dhyan {

// Where a product adds the gradient of a weight. For a parameter that is the gradient of the model itself.
inline GradTarget weight_target(const Var& weight) {
  return weight.node().sink != nullptr ? weight.sink_target() : weight.grad_target();
}

}  // namespace dhyan
