#include "ops/dropout.h"

#include "core/error.h"
#include "kernels/elementwise/dropout.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/rows/segments.h"
#include "ops/arithmetic.h"
#include "ops/expect_real.h"
#include "ops/ragged.h"

namespace dhyan {

namespace {

void expect_probability(const char* op, double probability) {
  if (probability >= 0 && probability < 1) return;  // NaN is not
  throw ConfigError(cat(op, ": probability is ", probability, ", expected 0 <= probability < 1"));
}

void dropout_backward(const Tensor& dy, const Rng& noise, double probability, const Var& x) {
  const GradTarget dx = x.grad_target();
  if (dx.beta == 0) {
    kernels::dropout(dy.span(), noise, probability, dx.tensor.span());
  } else {
    kernels::dropout_backward(dy.span(), noise, probability, dx.tensor.span());
  }
}

}  // namespace

// y = m x, m_i = 0 or 1 / (1 - p);   dx += m dy, with m drawn again from the same stream instead of stored
Var dropout(const Var& x, double probability) {
  expect_real("dropout", x);
  expect_probability("dropout", probability);
  if (!x.scope().recording() || probability == 0) return x;
  const Rng noise = x.scope().tape()->next_noise();
  const Tensor y = x.scope().tensor(x.shape());  // as x
  kernels::dropout(x.value().span(), noise, probability, y.span());
  return record(y, {x},
                [x, noise, probability](const Var& result) { dropout_backward(result.grad(), noise, probability, x); });
}

// s = x + m y;   dx += ds,   dy += m ds
Var add_dropped(const Var& x, const Var& y, double probability) {
  expect_real("add_dropped", x, y);
  expect_probability("add_dropped", probability);
  expect_shape("add_dropped", "y", y.shape(), x.shape());
  if (!x.scope().recording() || probability == 0) return add(x, y);
  const Rng noise = x.scope().tape()->next_noise();
  const Tensor s = x.scope().tensor(x.shape());  // as x
  kernels::dropout_added(x.value().span(), y.value().span(), noise, probability, s.span());
  return record(s, {x, y}, [x, y, noise, probability](const Var& result) {
    if (y.needs_grad()) dropout_backward(result.grad(), noise, probability, y);
    if (x.needs_grad() && !x.take_grad_of(result)) kernels::add_to(result.grad().span(), x.grad().span());
  });
}

// y_r = m_b x_r for the rows r of sentence b;   dx_r += m_b dy_r
Var variational_dropout(const Var& x, const Segments& segments, double probability) {
  expect_real("variational_dropout", x);
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

// y_r = m_r x_r;   dx_r += m_r dy_r
Var word_dropout(const Var& x, double probability) {
  expect_real("word_dropout", x);
  expect_probability("word_dropout", probability);
  expect_rank("word_dropout", "x", x.shape(), 2);
  if (!x.scope().recording() || probability == 0) return x;
  const Tensor m = x.scope().tensor({x.rows()});  // [R]
  kernels::dropout_mask(x.scope().tape()->next_noise(), probability, m.span());
  const Tensor y = x.scope().tensor(x.shape());  // [R,H]
  for (Index r = 0; r < x.rows(); ++r) kernels::scale(x.value().row(r), m.data()[r], y.row(r));
  return record(y, {x}, [x, m](const Var& result) {
    const Tensor &dy = result.grad(), &dx = x.grad();  // [R,H]
    for (Index r = 0; r < dx.rows(); ++r) kernels::scale_add(dy.row(r), m.data()[r], dx.row(r));
  });
}

}  // namespace dhyan
