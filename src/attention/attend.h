#pragma once

#include "attention/scores.h"
#include "attention/windows.h"

namespace dhyan {

struct AttendOptions {
  Index heads = 1;
  const Window* window = nullptr;  // null: every position is seen
  QueryPositions positions = {};
  double dropout = 0;  // of the weights that make the context, in training
};

struct Attended {
  Var context;  // [ΣT,N*K]         c_i
  Var weights;  // [Σ N T_b S_b]    α_ij; laid out as kernels::Pairing says
  Var energy;   // [Σ N T_b S_b]    e_ij
};

// Whether somebody will look at weights, energies and contexts. What nobody looks at is dropped once it has been used.
enum class KeepAttention { kNo, kYes };
Attended kept(const Attended& attended, KeepAttention keep);  // or nothing

// Energy, weights, context: the one place where attention happens. Which state is the query is the caller's choice.
Attended attend(const Score& score, const Ragged& query, const Memory& memory, const AttendOptions& options = {});

}  // namespace dhyan
