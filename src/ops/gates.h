#pragma once

#include "autograd/tape.h"

namespace dhyan {

// What a recurrent cell computes after its two products: from_x = x W + b of all n live sentences, which can be done
// for every step at once, and from_h = h U + b of the step before. The columns of the gates lie side by side, in the
// order PyTorch stores them.

Var rnn_gates(const Var& from_x, const Var& from_h);                     // [n,H] [n,H] -> h [n,H]
Var gru_gates(const Var& from_x, const Var& from_h, const Var& h_prev);  // [n,3H] [n,3H] [n,H] -> h [n,H]: r, z, n

// The two results of an LSTM step, blocks i, f, g, o: first the cell state, then what the cell shows of it.
Var lstm_state(const Var& from_x, const Var& from_h, const Var& c_prev);  // [n,4H] [n,4H] [n,H] -> c [n,H]
Var lstm_output(const Var& from_x, const Var& from_h, const Var& c);      // [n,4H] [n,4H] [n,H] -> h [n,H]

}  // namespace dhyan
