#pragma once

#include <cstdint>
#include <vector>

#include "ops/prepack.h"

namespace dhyan {

// The parameter as an int8 model has it: its value quantized and prepacked.
inline void make_int8(Parameter& parameter) {
  const Matrix stored = parameter.value.matrix();
  const bool transposed = parameter.role == Role::kTable;
  const ConstMatrix w = transposed ? stored.t() : ConstMatrix(stored);  // [I,O]
  std::vector<std::int8_t> values(static_cast<std::size_t>(parameter.value.size()));
  std::vector<float> scales(static_cast<std::size_t>(w.n()));
  kernels::quantize(w, values, scales);
  become_int8(parameter, std::make_unique<kernels::Int8Matrix>(
                             kernels::Int8Weight{values.data(), stored.rows, stored.cols, transposed, scales}));
}

}  // namespace dhyan
