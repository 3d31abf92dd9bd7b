#include "ops/row_product.h"

#include "kernels/gemm/gemm.h"
#include "kernels/gemm/packed_matrix.h"
#include "kernels/gemm/unpacked_gemm.h"
#include "kernels/int8/int8_matrix.h"

namespace dhyan {

namespace {

ConstMatrix read_from(const Matrix& stored, WeightSide side) {
  return side == WeightSide::kTransposed ? stored.t() : ConstMatrix(stored);  // [I,O]
}

std::span<const Real> span_of(const Var& bias) { return bias ? bias.value().span() : std::span<Real>(); }

const kernels::QuantizedRows& rounded_rows(const Var& x) {
  if (x.node().rounded == nullptr) {
    Arena& arena = x.scope().arena();
    const auto bytes = static_cast<std::size_t>(kernels::quantized_bytes(x.value().matrix()));
    x.node().rounded = &arena.make<kernels::QuantizedRows>(
        kernels::quantize_rows(x.value().matrix(), static_cast<std::uint8_t*>(arena.allocate(bytes))));
  }
  return *x.node().rounded;
}

}  // namespace

kernels::PackedGemmOptions way_of(const Scope& scope) { return {scope.precision(), scope.intra_op()}; }

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
  const std::span<const Real> b = span_of(bias);
  if (weight.scope().recording()) {
    if (weight.node().products > 0)
      return kernels::multiply_panels(x.matrix(), step_panels(weight, side), b, y.matrix());
    return kernels::gemm(x.matrix(), w, y.matrix(), {.bias = b, .precision = weight.scope().precision()});
  }
  if (weight.node().prepacked != nullptr) {
    return weight.node().prepacked->multiply(x.matrix(), w, b, y.matrix(), way_of(weight.scope()));
  }
  kernels::multiply_unpacked(x.matrix(), w, b, y.matrix(), weight.scope().precision());
}

void row_product(const Var& x, const Var& weight, WeightSide side, const Var& bias, const Tensor& y) {
  const kernels::PackedWeight* prepacked = weight.node().prepacked;
  const bool is_int8 = prepacked != nullptr && prepacked->int8() != nullptr && !weight.scope().recording();
  if (!is_int8) return row_product(x.value(), weight, side, bias, y);
  prepacked->multiply(rounded_rows(x), span_of(bias), y.matrix(), weight.scope().intra_op());
}

}  // namespace dhyan
