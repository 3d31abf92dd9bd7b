#include "ops/activations.h"

#include "kernels/activations.h"

namespace dhyan {

// y = tanh x;   dx += dy (1 - y^2)
Var tanh(const Var& x) {
  const Tensor y = x.scope().tensor(x.shape());  // as x
  kernels::tanh(x.value().span(), y.span());
  return record(y, {x}, [x](const Var& result) {
    kernels::tanh_backward(result.value().span(), result.grad().span(), x.grad().span());
  });
}

}  // namespace dhyan
