#pragma once

#include "autograd/tape.h"

namespace dhyan {

// The elementwise part of a recurrent cell, after its two GEMMs: from_x = x W + b of all n live sentences, which can be
// computed for every step at once, and from_h = h U + b of the previous step. The columns of the gates lie side by
// side, in PyTorch's order.

Var rnn_gates(const Var& from_x, const Var& from_h);                     // [n,H] [n,H] -> h [n,H]
Var gru_gates(const Var& from_x, const Var& from_h, const Var& h_prev);  // [n,3H] [n,3H] [n,H] -> h [n,H]: r, z, n

// The two results of an LSTM step, blocks i, f, g, o: the cell state c, then the output h.
Var lstm_state(const Var& from_x, const Var& from_h, const Var& c_prev);  // [n,4H] [n,4H] [n,H] -> c [n,H]
Var lstm_output(const Var& from_x, const Var& from_h, const Var& c);      // [n,4H] [n,4H] [n,H] -> h [n,H]

}  // namespace dhyan
