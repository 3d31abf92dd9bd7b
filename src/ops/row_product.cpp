#include "ops/row_product.h"

#include "kernels/gemm.h"
#include "kernels/packed_matrix.h"
#include "kernels/right_factor.h"

namespace dhyan {

namespace {

ConstMatrix read_from(const Matrix& stored, WeightSide side) {
  return side == WeightSide::kTransposed ? stored.t() : ConstMatrix(stored);  // [I,O]
}

}  // namespace

const kernels::PackedPanels& step_panels(const Var& weight, WeightSide side) {
  const kernels::PackedPanels*& packed = weight.node().packed[side == WeightSide::kTransposed ? 1 : 0];
  if (packed == nullptr) {
    const Scope& scope = weight.scope();
    const ConstMatrix w = read_from(weight.value().matrix(), side);
    const Tensor memory = scope.tensor({kernels::packed_count(w, scope.precision())});
    packed = &scope.arena().make<kernels::PackedPanels>(kernels::pack_panels(w, scope.precision(), memory.data()));
  }
  return *packed;
}

void row_product(const Tensor& x, const Var& weight, WeightSide side, const Var& bias, const Tensor& y) {
  const ConstMatrix w = read_from(weight.value().matrix(), side);
  const std::span<const Real> b = bias ? bias.value().span() : std::span<Real>();
  if (weight.scope().recording()) {
    if (weight.node().products > 0)
      return kernels::multiply_panels(x.matrix(), step_panels(weight, side), b, y.matrix());
    return kernels::gemm(x.matrix(), w, y.matrix(), {.bias = b, .precision = weight.scope().precision()});
  }
  if (weight.node().settled != nullptr) {
    return weight.node().settled->multiply(x.matrix(), w, b, y.matrix(), weight.scope().helpers());
  }
  kernels::multiply_rows(x.matrix(), w, b, y.matrix());
}

}  // namespace dhyan
