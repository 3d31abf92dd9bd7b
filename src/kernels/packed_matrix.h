#pragma once

#include "core/precision.h"
#include "core/tensor.h"
#include "kernels/right_factor.h"

namespace dhyan::kernels {

// The numbers of a weight, column panel by column panel as a product reads them.
struct PackedPanels {
  const Real* data = nullptr;
  Index inner = 0, columns = 0;
  Precision precision = Precision::kFull;
};

Index packed_count(ConstMatrix w, Precision precision);                      // Reals whose memory its panels take
PackedPanels pack_panels(ConstMatrix w, Precision precision, Real* memory);  // of that size, aligned for vectors

// y = x W + b + before y, with x in the precision of W; with before == 0 whatever y was. b may be empty.
void multiply_panels(ConstMatrix x, const PackedPanels& w, std::span<const Real> bias, Matrix y, Real before = 0);

// Panels with memory of their own.
class PackedMatrix final : public RightFactor {
 public:
  explicit PackedMatrix(ConstMatrix w, Precision precision = Precision::kFull, Helpers* helpers = nullptr);  // [I,O]

  void multiply_share(ConstMatrix x, std::span<const Real> bias, Matrix y, const Share& share) const override;

 private:
  Index place_of(Index column) const;  // of the first of a panel, in Reals

  Tensor numbers_;
  PackedPanels panels_;
};

}  // namespace dhyan::kernels
