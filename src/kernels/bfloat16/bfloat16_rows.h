#pragma once

#include "core/matrix.h"
#include "kernels/bfloat16/bfloat16.h"

namespace dhyan::kernels {

// A bfloat16 value, rounded by bfloat16_bits().
struct Bfloat16 {
  std::uint16_t bits;
};

inline Real to_real(Bfloat16 x) { return std::bit_cast<float>(std::uint32_t{x.bits} << 16); }

// A read-only view of rows of bfloat16; see ConstMatrix. The order of values within a row depends on the machine.
struct Bfloat16Matrix {
  const Bfloat16* data = nullptr;
  Index rows = 0;
  Index cols = 0;
  Index stride = 0;

  const Bfloat16* row(Index r) const { return data + r * stride; }
};

// Rounds row by row; the rows of the result are contiguous.
void round_to_bfloat16(ConstMatrix x, Bfloat16* to);

// Converts back to Reals.
void widen(const Bfloat16Matrix& x, Matrix y);

}  // namespace dhyan::kernels
