#pragma once

#include "core/precision.h"
#include "core/tensor.h"
#include "kernels/gemm/packed_weight.h"

namespace dhyan::kernels {

// The values of a weight, column panel by column panel as a product reads them.
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
class PackedMatrix final : public PackedOperand {
 public:
  explicit PackedMatrix(ConstMatrix w, Precision precision = Precision::kFull,
                        IntraOpThreads* intra_op = nullptr);  // [I,O]

  void multiply_partition(ConstMatrix x, std::span<const Real> bias, Matrix y,
                          const ColumnPartition& partition) const override;

 private:
  Index place_of(Index column) const;  // of the first of a panel, in Reals

  Tensor values_;
  PackedPanels panels_;
};

}  // namespace dhyan::kernels
