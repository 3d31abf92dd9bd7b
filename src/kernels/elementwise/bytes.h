#pragma once

#include <cstdint>
#include <span>

#include "core/real.h"

namespace dhyan::kernels {

// y_i = (x_i - offset) factor
void scale_bytes(std::span<const std::uint8_t> x, Real offset, Real factor, std::span<Real> y);

}  // namespace dhyan::kernels
