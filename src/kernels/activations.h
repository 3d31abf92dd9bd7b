#pragma once

#include <span>

#include "core/real.h"

namespace dhyan::kernels {

// y_i = f(x_i). Spans of equal length; x and y may be the same.
void tanh(std::span<const Real> x, std::span<Real> y);

// dx_i += dy_i f'(x_i), with f' from y where y is enough.
void tanh_backward(std::span<const Real> y, std::span<const Real> dy, std::span<Real> dx);

}  // namespace dhyan::kernels
