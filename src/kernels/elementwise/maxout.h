#pragma once

#include <span>

#include "core/real.h"

namespace dhyan::kernels {

// y_i = max of the `pool` inputs x_{i pool} .. x_{i pool + pool - 1}, pool > 0; x is pool times as long as y.
void maxout(std::span<const Real> x, Index pool, std::span<Real> y);

// dx += dy at the first largest input of each group.
void maxout_backward(std::span<const Real> x, Index pool, std::span<const Real> dy, std::span<Real> dx);

}  // namespace dhyan::kernels
