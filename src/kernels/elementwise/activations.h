#pragma once

#include <span>

#include "core/real.h"

namespace dhyan::kernels {

// y_i = f(x_i). Spans of equal length; x and y may be the same. NaN stays NaN.
void tanh(std::span<const Real> x, std::span<Real> y);
void sigmoid(std::span<const Real> x, std::span<Real> y);   // 1 / (1 + exp(-x)), for any x
void relu(std::span<const Real> x, std::span<Real> y);      // max(x, 0)
void relu6(std::span<const Real> x, std::span<Real> y);     // min(max(x, 0), 6)
void gelu(std::span<const Real> x, std::span<Real> y);      // x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))
void gelu_erf(std::span<const Real> x, std::span<Real> y);  // x/2 (1 + erf(x / sqrt(2)))
void swish(std::span<const Real> x, std::span<Real> y);     // x sigmoid(x)

// dx_i += dy_i f'(x_i), with f' computed from y where possible.
void tanh_backward(std::span<const Real> y, std::span<const Real> dy, std::span<Real> dx);
void sigmoid_backward(std::span<const Real> y, std::span<const Real> dy, std::span<Real> dx);
void relu_backward(std::span<const Real> y, std::span<const Real> dy, std::span<Real> dx);
void relu_backward_in_place(std::span<const Real> y, std::span<Real> dy);  // dy_i = 0 where y_i is not positive
void relu6_backward(std::span<const Real> y, std::span<const Real> dy, std::span<Real> dx);
void relu6_backward_in_place(std::span<const Real> y, std::span<Real> dy);  // dy_i = 0 where y_i is 0 or 6
void gelu_backward(std::span<const Real> x, std::span<const Real> dy, std::span<Real> dx);
void gelu_erf_backward(std::span<const Real> x, std::span<const Real> dy, std::span<Real> dx);
void swish_backward(std::span<const Real> x, std::span<const Real> dy, std::span<Real> dx);

}  // namespace dhyan::kernels
