#include "ops/softmax.h"

#include "core/error.h"
#include "kernels/rows/softmax.h"
#include "ops/expect_real.h"

namespace dhyan {

namespace {

void expect_rows(const char* op, const Var& x) {
  if (x.shape().rank() == 0) throw ShapeError(cat(op, ": x is ", x.shape(), ", expected rows of at least one axis"));
}

}  // namespace

// p_j = exp(x_j) / sum_k exp(x_k);   dx_j += p_j (dp_j - sum_k p_k dp_k)
Var softmax(const Var& x) {
  expect_real("softmax", x);
  expect_rows("softmax", x);
  const Tensor p = x.scope().tensor(x.shape());  // [.,N]
  kernels::softmax_rows(x.value().matrix(), p.matrix());
  return record(p, {x}, [x](const Var& result) {
    kernels::softmax_rows_backward(result.value().matrix(), result.grad().matrix(), x.grad().matrix());
  });
}

// l_j = x_j - log sum_k exp(x_k);   dx_j += dl_j - exp(l_j) sum_k dl_k
Var log_softmax(const Var& x) {
  expect_real("log_softmax", x);
  expect_rows("log_softmax", x);
  const Tensor l = x.scope().tensor(x.shape());  // [.,N]
  kernels::log_softmax_rows(x.value().matrix(), l.matrix());
  return record(l, {x}, [x](const Var& result) {
    kernels::log_softmax_rows_backward(result.value().matrix(), result.grad().matrix(), x.grad().matrix());
  });
}

}  // namespace dhyan
