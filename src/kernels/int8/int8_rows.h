#pragma once

#include "kernels/int8/int8_matrix.h"

namespace dhyan::kernels {

// An int8 weight [I,O] with the values of an output side by side, for products with a few of its outputs: panels would
// read all columns of a panel for one of them.
class Int8Rows {
 public:
  explicit Int8Rows(const Int8Matrix& w);

  // y = x W + b for these outputs only: the bytes of their columns in the product with the Int8Matrix. Each id is below
  // O; b [O] may be empty.
  void multiply(ConstMatrix x, std::span<const Real> bias, std::span<const RowId> outputs, Matrix y) const;  // [M,n]

 private:
  Index inner_, outputs_;
  float activation_;
  std::shared_ptr<std::int32_t[]> rows_;   // [O,quads]
  std::span<const float> scales_;          // [O] of the Int8Matrix, which must outlive this
  std::span<const std::int32_t> offsets_;  // [O] its compensation
};

}  // namespace dhyan::kernels
