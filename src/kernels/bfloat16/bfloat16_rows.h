#pragma once

#include "core/tensor.h"
#include "kernels/bfloat16/bfloat16.h"

namespace dhyan::kernels {

inline Real to_real(Bfloat16 x) { return std::bit_cast<float>(std::uint32_t{x.bits} << 16); }

// A read-only view of rows of bfloat16; see ConstMatrix. The order of values within a row depends on the machine.
struct Bfloat16Matrix {
  const Bfloat16* data = nullptr;
  Index rows = 0;
  Index cols = 0;
  Index stride = 0;

  const Bfloat16* row(Index r) const { return data + r * stride; }
};

inline Bfloat16Matrix bfloat16_matrix(const Tensor& x) {  // DtypeError unless it is bfloat16
  expect_dtype("bfloat16_matrix", x.dtype(), Dtype::kBfloat16);
  return {static_cast<const Bfloat16*>(x.storage()), x.rows(), x.cols(), x.cols()};
}

// Rounds row by row; the rows of the result are contiguous.
void round_to_bfloat16(ConstMatrix x, Bfloat16* to);

// Converts back to Reals.
void widen(const Bfloat16Matrix& x, Matrix y);

}  // namespace dhyan::kernels
