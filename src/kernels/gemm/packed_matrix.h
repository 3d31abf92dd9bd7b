#pragma once

#include "core/precision.h"
#include "core/tensor.h"
#include "kernels/gemm/packed_weight.h"

namespace dhyan::kernels {

// A weight packed into column panels for the microkernel.
struct PackedPanels {
  const Real* data = nullptr;
  Index inner = 0, columns = 0;
  Precision precision = Precision::kFull;
};

Index packed_panels_size(ConstMatrix w, Precision precision);                // of the panels' memory, in Reals
PackedPanels pack_panels(ConstMatrix w, Precision precision, Real* memory);  // of that size, vector-aligned

// y = x W + b + beta y, with x rounded to the precision of W; beta == 0 overwrites y, even NaN. b may be empty.
void multiply_panels(ConstMatrix x, const PackedPanels& w, std::span<const Real> bias, Matrix y, Real beta = 0);

// Packed panels that own their memory.
class PackedMatrix final : public PackedOperand {
 public:
  explicit PackedMatrix(ConstMatrix w, Precision precision = Precision::kFull,
                        IntraOpThreads* intra_op = nullptr);  // [I,O]

  void multiply_partition(ConstMatrix x, std::span<const Real> bias, Matrix y,
                          const ColumnPartition& partition) const override;

 private:
  Index panel_offset(Index column) const;  // of a panel's first column, in Reals

  Tensor values_;
  PackedPanels panels_;
};

}  // namespace dhyan::kernels
