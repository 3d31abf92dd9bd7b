#pragma once

#include <cstdint>

#include "core/real.h"

namespace dhyan::kernels {

inline constexpr Index kQuad = 4;  // numbers that are multiplied and summed at once
inline Index quads_of(Index inner) { return (inner + kQuad - 1) / kQuad; }

// What a product of 8-bit numbers reads. Four of them that are multiplied together lie in one 32-bit number.
struct Int8Operands {
  const std::uint8_t* x;       // tile by tile, [quads,rows of a tile] quads
  const float* x_scales;       // [M]
  const std::int32_t* panels;  // [panels,quads,width]
  const float* scales;         // [O], and zeros up to whole panels, like starts
  const std::int32_t* starts;  // [O] -128 Σ_k w_kj, since the rows of x are shifted by 128
  const Real* bias;            // [O], or null
  Index rows, quads;
};

}  // namespace dhyan::kernels
