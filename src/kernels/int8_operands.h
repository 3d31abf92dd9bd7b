#pragma once

#include <cstdint>

#include "core/real.h"

namespace dhyan::kernels {

// What a product of 8-bit numbers reads. Four of them that are multiplied together lie in one 32-bit number.
struct Int8Operands {
  const std::uint8_t* x;       // [M,4 quads]
  const float* x_scales;       // [M]
  const std::int32_t* panels;  // [panels,quads,width]
  const float* scales;         // [O]
  const std::int32_t* shifts;  // [O]
  const Real* bias;            // [O], or null
  Index rows, quads;
};

}  // namespace dhyan::kernels
