#pragma once

#include "core/matrix.h"

namespace dhyan::kernels {

// Inputs of a recurrent cell at one step: one row per sentence, H columns per gate.
struct GateInputs {
  ConstMatrix from_x;  // x W + b
  ConstMatrix from_h;  // h U + b
  ConstMatrix state;   // [n,H]: h of the step before, or the LSTM's c
};

// Where gradients are added; one without data is skipped.
struct GateGradients {
  Matrix from_x;
  Matrix from_h;
  Matrix state;
};

// Each is one pass over its rows; the equations are in ops/gates.cpp. `kept` receives what backward needs from forward,
// in blocks of H columns; pass it without data for inference.

void rnn_gates(ConstMatrix from_x, ConstMatrix from_h, Matrix h);  // [n,H]
void rnn_gates_backward(ConstMatrix h, ConstMatrix dh, const GateGradients& into);

void gru_gates(const GateInputs& in, Matrix h, Matrix kept);  // blocks r, z, n; kept [n,3H]: r, z, n
void gru_gates_backward(const GateInputs& in, ConstMatrix kept, ConstMatrix dh, const GateGradients& into);

void lstm_state(const GateInputs& in, Matrix c, Matrix kept);  // blocks i, f, g, o; kept [n,3H]: i, f, g
void lstm_state_backward(const GateInputs& in, ConstMatrix kept, ConstMatrix dc, const GateGradients& into);

void lstm_output(const GateInputs& in, Matrix h, Matrix kept);  // the same blocks; kept [n,2H]: o, tanh c
void lstm_output_backward(ConstMatrix kept, ConstMatrix dh, const GateGradients& into);

}  // namespace dhyan::kernels
