#include "ops/prepack.h"

namespace dhyan {

const kernels::Int8Rows& Prepacked::int8_rows() const {
  std::call_once(rows_once_, [&] { rows_ = std::make_unique<kernels::Int8Rows>(*int8); });
  return *rows_;
}

void prepack(ParameterSet& parameters) {
  for (Parameter& parameter : parameters) parameter.prepacked = std::make_shared<Prepacked>();
}

void become_int8(Parameter& parameter, std::unique_ptr<const kernels::Int8Matrix> int8) {
  parameter.value = Tensor::part_of(int8->panels(), parameter.value.shape(), Dtype::kInt8, int8->panels().get());
  auto form = std::make_shared<Prepacked>();
  form->int8 = std::move(int8);
  parameter.prepacked = std::move(form);
}

}  // namespace dhyan
