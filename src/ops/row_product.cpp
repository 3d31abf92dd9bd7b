#include "ops/row_product.h"

#include "kernels/gemm/gemm.h"
#include "kernels/gemm/unpacked_gemm.h"
#include "ops/op_cache.h"
#include "ops/prepack.h"

namespace dhyan {

namespace {

ConstMatrix read_from(const Matrix& stored, WeightSide side) {
  return side == WeightSide::kTransposed ? stored.t() : ConstMatrix(stored);  // [I,O]
}

std::span<const Real> span_of(const Var& bias) { return bias ? bias.value().span() : std::span<Real>(); }

const kernels::QuantizedRows& quantized_rows(const Var& x, float activation) {
  const kernels::QuantizedRows*& rows = op_cache(x).quantized_rows;
  if (rows == nullptr || rows->activation != activation) {
    Arena& arena = x.scope().arena();
    const auto bytes = static_cast<std::size_t>(kernels::quantized_bytes(x.value().matrix()));
    rows = &arena.make<kernels::QuantizedRows>(
        kernels::quantize_rows(x.value().matrix(), static_cast<std::uint8_t*>(arena.allocate(bytes)), activation));
  }
  return *rows;
}

void prepacked_product(const Prepacked& form, ConstMatrix x, const Var& weight, WeightSide side, const Var& bias,
                       Matrix y) {
  const Scope& scope = weight.scope();
  if (form.int8 != nullptr) return kernels::multiply_partitioned(*form.int8, x, span_of(bias), y, scope.intra_op());
  form.panels.multiply(x, read_from(weight.value().matrix(), side), span_of(bias), y, packed_gemm_options(scope));
}

}  // namespace

kernels::PackedGemmOptions packed_gemm_options(const Scope& scope) { return {scope.precision(), scope.intra_op()}; }

const kernels::PackedPanels& step_panels(const Var& weight, WeightSide side) {
  const kernels::PackedPanels*& panels = op_cache(weight).panels[side == WeightSide::kTransposed ? 1 : 0];
  if (panels == nullptr) {
    const Scope& scope = weight.scope();
    const ConstMatrix w = read_from(weight.value().matrix(), side);
    const Tensor memory = scope.tensor({kernels::packed_panels_size(w, scope.precision())});
    panels = &scope.arena().make<kernels::PackedPanels>(kernels::pack_panels(w, scope.precision(), memory.data()));
  }
  return *panels;
}

void row_product(const Tensor& x, const Var& weight, WeightSide side, const Var& bias, const Tensor& y) {
  if (const Prepacked* form = prepacked(weight))
    return prepacked_product(*form, x.matrix(), weight, side, bias, y.matrix());
  const std::span<const Real> b = span_of(bias);
  const ConstMatrix w = read_from(weight.value().matrix(), side);
  if (weight.scope().recording()) {
    if (weight.node().cache != nullptr && weight.node().cache->linear_calls > 0)
      return kernels::multiply_panels(x.matrix(), step_panels(weight, side), b, y.matrix());
    return kernels::gemm(x.matrix(), w, y.matrix(), {.bias = b, .precision = weight.scope().precision()});
  }
  kernels::multiply_unpacked(x.matrix(), w, b, y.matrix(), weight.scope().precision());
}

void weight_product(ConstMatrix x, const Var& weight, const Var& bias, Matrix y) {
  constexpr WeightSide kSide = WeightSide::kAsStored;
  if (const Prepacked* form = prepacked(weight)) return prepacked_product(*form, x, weight, kSide, bias, y);
  kernels::multiply_panels(x, step_panels(weight, kSide), span_of(bias), y);
}

void row_product(const Var& x, const Var& weight, WeightSide side, const Var& bias, const Tensor& y) {
  const kernels::Int8Matrix* int8 = prepacked_int8(weight);
  if (int8 == nullptr) return row_product(x.value(), weight, side, bias, y);
  kernels::multiply_partitioned(*int8, quantized_rows(x, int8->activation()), span_of(bias), y.matrix(),
                                weight.scope().intra_op());
}

}  // namespace dhyan
