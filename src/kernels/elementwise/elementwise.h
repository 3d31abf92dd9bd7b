#pragma once

#include <span>

#include "core/matrix.h"

namespace dhyan::kernels {

// Spans of equal length; the result may be one of the inputs.
void add(std::span<const Real> a, std::span<const Real> b, std::span<Real> y);           // y = a + b
void add_to(std::span<const Real> x, std::span<Real> y);                                 // y += x
void add_constant(Real c, std::span<Real> y);                                            // y += c
void multiply(std::span<const Real> a, std::span<const Real> b, std::span<Real> y);      // y = a b
void multiply_add(std::span<const Real> a, std::span<const Real> b, std::span<Real> y);  // y += a b
void scale(std::span<const Real> x, Real factor, std::span<Real> y);                     // y = factor x
void scale_add(std::span<const Real> x, Real factor, std::span<Real> y);                 // y += factor x

// x must not be transposed; y has the same shape and may be x.
void add_bias(ConstMatrix x, std::span<const Real> bias, Matrix y);  // y_ij = x_ij + b_j
void column_sums_add(ConstMatrix x, std::span<Real> sums);           // s_j += sum_i x_ij, from the first row down
void row_sums(ConstMatrix x, std::span<Real> sums);                  // s_i = sum_j x_ij
void add_to_row_elements(std::span<const Real> per_row, Matrix y);   // y_ij += p_i

}  // namespace dhyan::kernels
