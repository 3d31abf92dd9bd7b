#include "ops/prepack.h"

#include "kernels/gemm/packed_weight.h"

namespace dhyan {

void prepack(ParameterSet& parameters) {
  for (Parameter& parameter : parameters) parameter.prepacked = std::make_shared<kernels::PackedWeight>();
}

}  // namespace dhyan
