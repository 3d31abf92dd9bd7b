#pragma once

#include "ops/rows.h"

namespace dhyan {

// The state of a recurrent cell between two steps, for n sentences.
struct State {
  Var h;       // [n,H]: the output of the cell
  Var c = {};  // [n,H]: its memory; LSTM only
};

// f of each part that is there.
template <class F>
State map(const State& state, const F& f) {
  return {f(state.h), state.c ? f(state.c) : Var()};
}

// The state of the first n sentences.
inline State first_rows_of(const State& state, Index n) {
  if (state.h.rows() == n) return state;
  return map(state, [n](const Var& rows) { return slice_rows(rows, 0, n); });  // [n,H]
}

}  // namespace dhyan
