#pragma once

#include <span>

#include "core/real.h"

namespace dhyan::kernels {

// Added up in double, whatever Real is: a sum over all weights of a model must not lose the small ones.
double sum(std::span<const Real> x);
double sum_of_squares(std::span<const Real> x);

}  // namespace dhyan::kernels
