#pragma once

#include "core/matrix.h"
#include "core/rng.h"

namespace dhyan::kernels {

// Initial values of weights and tables, computed in double. They run once, so they are simple rather than fast.

void fill_uniform(Rng& rng, double range, Matrix w);  // [-range,range), row by row

// Uniform over matrices with orthonormal columns, or orthonormal rows if w is wider than high.
void fill_orthogonal(Rng& rng, Matrix w);

// Encodings of positions `first`, `first` + 1, ... by sines and cosines of p r_i, for frequencies i < H/2. Sines and
// cosines alternate or have a half of the columns each.
enum class SinusoidColumns { kAlternating, kHalves };
//   kOpen    r_i = 10000^(-2i/H)
//   kClosed  r_i = 10000^(-i/(H/2 - 1)), so that the last one is 1/10000
enum class SinusoidRates { kOpen, kClosed };
struct SinusoidForm {
  SinusoidColumns columns = SinusoidColumns::kAlternating;
  SinusoidRates rates = SinusoidRates::kOpen;
  Index first = 0;
};
void fill_sinusoids(Matrix w, const SinusoidForm& form = {});

}  // namespace dhyan::kernels
