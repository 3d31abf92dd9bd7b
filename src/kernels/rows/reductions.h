#pragma once

#include <span>

#include "core/real.h"

namespace dhyan::kernels {

// Accumulated in double: a sum over all weights of a model must not lose small values.
double sum(std::span<const Real> x);
double sum_of_squares(std::span<const Real> x);

}  // namespace dhyan::kernels
