#include "ops/dropout.h"

#include "core/error.h"
#include "kernels/dropout.h"
#include "kernels/segments.h"
#include "ops/ragged.h"

namespace dhyan {

namespace {

void expect_probability(const char* op, double probability) {
  if (probability >= 0 && probability < 1) return;  // NaN is not
  throw ConfigError(cat(op, ": probability is ", probability, ", expected 0 <= probability < 1"));
}

}  // namespace

// y = m x, m_i = 0 or 1 / (1 - p);   dx += m dy, with m drawn again from the same stream instead of stored
Var dropout(const Var& x, double probability) {
  expect_probability("dropout", probability);
  if (!x.scope().recording() || probability == 0) return x;
  const Rng noise = x.scope().tape()->next_noise();
  const Tensor y = x.scope().tensor(x.shape());  // as x
  kernels::dropout(x.value().span(), noise, probability, y.span());
  return record(y, {x}, [x, noise, probability](const Var& result) {
    kernels::dropout_backward(result.grad().span(), noise, probability, x.grad().span());
  });
}

// y_r = m_b x_r for the rows r of sentence b;   dx_r += m_b dy_r
Var variational_dropout(const Var& x, const Segments& segments, double probability) {
  expect_probability("variational_dropout", probability);
  expect_rows("variational_dropout", x, segments);
  if (!x.scope().recording() || probability == 0) return x;
  const Tensor m = x.scope().tensor({segments.count(), x.cols()});  // [B,H]
  kernels::dropout_mask(x.scope().tape()->next_noise(), probability, m.span());
  const Tensor y = x.scope().tensor(x.shape());  // [R,H]
  kernels::multiply_segments(x.value().matrix(), m.matrix(), segments, y.matrix());
  return record(y, {x}, [x, m, segments](const Var& result) {
    kernels::multiply_segments_add(result.grad().matrix(), m.matrix(), segments, x.grad().matrix());
  });
}

}  // namespace dhyan
