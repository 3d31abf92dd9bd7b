#pragma once

#include "core/matrix.h"
#include "core/rng.h"

namespace dhyan::kernels {

// Initial values of weights and tables, computed in double. They run once, so they are simple rather than fast.

void fill_uniform(Rng& rng, double range, Matrix w);  // [-range,range), row by row

// Uniform over matrices with orthonormal columns, or orthonormal rows if w is wider than high.
void fill_orthogonal(Rng& rng, Matrix w);

// w_pj = sin(p / 10000^(j/H)) for even j, w_pj = cos(p / 10000^((j-1)/H)) for odd j
void fill_sinusoids(Matrix w);

}  // namespace dhyan::kernels
