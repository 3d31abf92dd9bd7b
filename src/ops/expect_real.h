#pragma once

#include "autograd/var.h"

namespace dhyan {

// Throw DtypeError("tanh: cannot read bfloat16 values") unless all inputs that are given are float.
template <class... Vars>
void expect_real(const char* op, const Vars&... inputs) {
  const auto expect_one = [op](const Var& x) {
    if (x) expect_dtype(op, x.value().dtype(), Dtype::kReal);
  };
  (expect_one(inputs), ...);
}

}  // namespace dhyan
