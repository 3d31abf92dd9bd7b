#pragma once

#include "core/matrix.h"
#include "core/rng.h"

namespace dhyan::kernels {

// The values weights and tables begin with; computed in double. Made once, so clear rather than fast.

void fill_uniform(Rng& rng, double range, Matrix w);  // [-range,range), row by row

// Every matrix with orthonormal columns is equally likely; with orthonormal rows if w is wider than high.
void fill_orthogonal(Rng& rng, Matrix w);

// w_pj = sin(p / 10000^(j/H)) for even j, w_pj = cos(p / 10000^((j-1)/H)) for odd j
void fill_sinusoids(Matrix w);

}  // namespace dhyan::kernels
