#pragma once

#include <bit>
#include <cstdint>

#include "core/real.h"

namespace dhyan::kernels {

// The bits of a float rounded to bfloat16, to nearest even. Like the AVX512-BF16 instruction, flushes denormals to
// zero; NaN stays NaN.
inline std::uint32_t bfloat16_bits(float x) {
  constexpr std::uint32_t kSign = 0x80000000, kInfinite = 0x7f800000, kSmallest = 0x00800000, kQuiet = 0x00400000;
  const auto bits = std::bit_cast<std::uint32_t>(x), size = bits & ~kSign;
  if (size > kInfinite) return (bits | kQuiet) >> 16;
  if (size < kSmallest) return (bits & kSign) >> 16;
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

inline Real rounded_to_bfloat16(Real x) { return std::bit_cast<float>(bfloat16_bits(static_cast<float>(x)) << 16); }

}  // namespace dhyan::kernels
