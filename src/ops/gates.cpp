#include "ops/gates.h"

#include "kernels/elementwise/gates.h"
#include "ops/expect_real.h"
#include "ops/wanted_grad.h"

namespace dhyan {

namespace {

// The shape of the state fixes n and H.
void expect_blocks(const char* op, const Var& from_x, const Var& from_h, Index blocks, const Shape& state) {
  const Shape expected = state.with_cols(blocks * state.cols());
  expect_shape(op, "from_x", from_x.shape(), expected);
  expect_shape(op, "from_h", from_h.shape(), expected);
}

// Memory for `blocks` gates, which backward reads; empty without a tape.
Tensor room_to_keep(const Var& state, Index blocks) {
  if (!state.scope().recording()) return {};
  return state.scope().tensor({state.rows(), blocks * state.cols()});
}

Matrix matrix_or_none(const Tensor& kept) { return kept.empty() ? Matrix{} : kept.matrix(); }

kernels::GateInputs inputs(const Var& from_x, const Var& from_h, const Var& state) {
  return {from_x.value().matrix(), from_h.value().matrix(), state.value().matrix()};
}

kernels::GateGradients gradients(const Var& from_x, const Var& from_h, const Var& state) {
  return {wanted_grad(from_x), wanted_grad(from_h), wanted_grad(state)};
}

}  // namespace

// [elman1990] h = tanh(x + u), u from h;   dx += dh (1 - h^2), du the same
Var rnn_gates(const Var& from_x, const Var& from_h) {
  expect_real("rnn_gates", from_x, from_h);
  expect_rank("rnn_gates", "from_x", from_x.shape(), 2);
  expect_shape("rnn_gates", "from_h", from_h.shape(), from_x.shape());
  const Tensor h = from_x.scope().tensor(from_x.shape());  // [n,H]
  kernels::rnn_gates(from_x.value().matrix(), from_h.value().matrix(), h.matrix());
  return record(h, {from_x, from_h}, [from_x, from_h](const Var& result) {
    kernels::rnn_gates_backward(result.value().matrix(), result.grad().matrix(),
                                {wanted_grad(from_x), wanted_grad(from_h), {}});
  });
}

// [cho2014] eqs. 5-8, with the reset gate after the product with h instead of before it, as PyTorch and cuDNN do, so
// that one GEMM serves the three gates. x from x, u from h:
//   r = s(x_r + u_r),  z = s(x_z + u_z),  n = tanh(x_n + r u_n),  h = (1 - z) n + z h_prev
//   da_n = dh (1 - z) (1 - n^2),  da_r = da_n u_n r (1 - r),  da_z = dh (h_prev - n) z (1 - z)
//   dx_. += da_.,  du_r += da_r,  du_z += da_z,  du_n += da_n r,  dh_prev += dh z
Var gru_gates(const Var& from_x, const Var& from_h, const Var& h_prev) {
  expect_real("gru_gates", from_x, from_h, h_prev);
  expect_rank("gru_gates", "h_prev", h_prev.shape(), 2);
  expect_blocks("gru_gates", from_x, from_h, 3, h_prev.shape());
  const Tensor h = h_prev.scope().tensor(h_prev.shape());  // [n,H]
  const Tensor kept = room_to_keep(h_prev, 3);             // [n,3H] r, z, n
  kernels::gru_gates(inputs(from_x, from_h, h_prev), h.matrix(), matrix_or_none(kept));
  return record(h, {from_x, from_h, h_prev}, [from_x, from_h, h_prev, kept](const Var& result) {
    kernels::gru_gates_backward(inputs(from_x, from_h, h_prev), kept.matrix(), result.grad().matrix(),
                                gradients(from_x, from_h, h_prev));
  });
}

// [hochreiter1997], with a forget gate; x from x, u from h:
//   i = s(x_i + u_i),  f = s(x_f + u_f),  g = tanh(x_g + u_g),  c = f c_prev + i g
//   da_i = dc g i (1 - i),  da_f = dc c_prev f (1 - f),  da_g = dc i (1 - g^2)
//   dx_. += da_.,  du_. += da_.,  dc_prev += dc f
Var lstm_state(const Var& from_x, const Var& from_h, const Var& c_prev) {
  expect_real("lstm_state", from_x, from_h, c_prev);
  expect_rank("lstm_state", "c_prev", c_prev.shape(), 2);
  expect_blocks("lstm_state", from_x, from_h, 4, c_prev.shape());
  const Tensor c = c_prev.scope().tensor(c_prev.shape());  // [n,H]
  const Tensor kept = room_to_keep(c_prev, 3);             // [n,3H] i, f, g
  kernels::lstm_state(inputs(from_x, from_h, c_prev), c.matrix(), matrix_or_none(kept));
  return record(c, {from_x, from_h, c_prev}, [from_x, from_h, c_prev, kept](const Var& result) {
    kernels::lstm_state_backward(inputs(from_x, from_h, c_prev), kept.matrix(), result.grad().matrix(),
                                 gradients(from_x, from_h, c_prev));
  });
}

// The same cell's output:
//   o = s(x_o + u_o),  h = o tanh c
//   da_o = dh tanh(c) o (1 - o);   dx_o += da_o,  du_o += da_o,  dc += dh o (1 - tanh(c)^2)
Var lstm_output(const Var& from_x, const Var& from_h, const Var& c) {
  expect_real("lstm_output", from_x, from_h, c);
  expect_rank("lstm_output", "c", c.shape(), 2);
  expect_blocks("lstm_output", from_x, from_h, 4, c.shape());
  const Tensor h = c.scope().tensor(c.shape());  // [n,H]
  const Tensor kept = room_to_keep(c, 2);        // [n,2H] o, tanh c
  kernels::lstm_output(inputs(from_x, from_h, c), h.matrix(), matrix_or_none(kept));
  return record(h, {from_x, from_h, c}, [from_x, from_h, c, kept](const Var& result) {
    kernels::lstm_output_backward(kept.matrix(), result.grad().matrix(), gradients(from_x, from_h, c));
  });
}

}  // namespace dhyan
