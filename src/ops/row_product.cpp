#include "ops/row_product.h"

#include "kernels/elementwise.h"
#include "kernels/gemm.h"
#include "kernels/packed_matrix.h"
#include "kernels/right_factor.h"

namespace dhyan {

void row_product(const Tensor& x, const Var& weight, WeightSide side, const Var& bias, const Tensor& y) {
  const Matrix stored = weight.value().matrix();
  const ConstMatrix w = side == WeightSide::kTransposed ? stored.t() : ConstMatrix(stored);  // [I,O]
  if (weight.scope().recording()) {
    kernels::gemm(x.matrix(), w, y.matrix());
    if (bias) kernels::add_bias(y.matrix(), bias.value().span(), y.matrix());
    return;
  }
  const std::span<const Real> b = bias ? bias.value().span() : std::span<Real>();
  if (weight.node().settled != nullptr) return weight.node().settled->multiply(x.matrix(), w, b, y.matrix());
  kernels::multiply_rows(x.matrix(), w, b, y.matrix());
}

}  // namespace dhyan
