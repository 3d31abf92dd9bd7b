#pragma once

#include "attention/scores.h"
#include "attention/weight_edits.h"

namespace dhyan {

// Which values of attention somebody will look at afterwards: none but the context, all of Attended but the parts, or
// these too.
enum class KeepAttention { kNo, kYes, kParts };

struct AttendOptions {
  Index heads = 1;
  const Window* window = nullptr;  // null: every position is seen
  QueryPositions positions = {};
  double dropout = 0;  // of the weights that make the context, in training
  KeepAttention keep = KeepAttention::kYes;
  AttentionKernel kernel = AttentionKernel::kByQueryCount;  // without a tape; training always chooses by query count
  LayerEdits edits = {};                                    // without a tape
};

// The values that energies and contexts were computed from, for explanations.
struct AttentionParts {
  Var query;            // [ΣT,Q]    s_i, of all heads
  Var values;           // [ΣS,N*K]  the context is a weighted sum of these
  Index first_key = 0;  // row of keys and values where the first sentence begins
  EnergyTerms terms;
};

struct Attended {
  Var context;                            // [ΣT,N*K]         c_i
  Var weights = {};                       // [Σ N T_b S_b]    α_ij; laid out as kernels::AttentionLayout says
  Var energy = {};                        // [Σ N T_b S_b]    e_ij
  const AttentionParts* parts = nullptr;  // in the step's arena
};

// Energy, weights, context: the one place where attention happens. Which state is the query is the caller's choice.
// All that is kept lives until the arena is reset; with KeepAttention::kNo the context alone is given, and is the
// caller's.
Attended attend(const Score& score, const Ragged& query, const Memory& memory, const AttendOptions& options = {});

}  // namespace dhyan
