#pragma once

#include "core/tensor.h"
#include "kernels/right_factor.h"

namespace dhyan::kernels {

// The numbers of a weight, column panel by column panel as a product reads them.
class PackedMatrix final : public RightFactor {
 public:
  explicit PackedMatrix(ConstMatrix w);  // [I,O]

  void multiply(ConstMatrix x, std::span<const Real> bias, Matrix y) const override;

 private:
  Index inner_, columns_;
  Tensor panels_;  // [panels, I * width]
};

// y = x W + b, the bytes of PackedMatrix(w), for a weight that may be another next time.
void multiply_rows(ConstMatrix x, ConstMatrix w, std::span<const Real> bias, Matrix y);

}  // namespace dhyan::kernels
