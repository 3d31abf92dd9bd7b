#pragma once

#include <string>
#include <vector>

#include "decoding/hypothesis.h"

namespace dhyan {

// The inputs of the energies and contexts of one layer and head, over one finished sentence. Rows are the steps of the
// hypothesis, columns the positions they may attend to, as in the AttentionRecord of the same place, layer and head.
struct AttentionTrace {
  AttentionPlace place = AttentionPlace::kCross;
  Index layer = 0;
  Index head = 0;
  std::vector<std::vector<Real>> query = {};   // [T][Q]  s_i; for dot-product scores, the head's columns
  std::vector<std::vector<Real>> values = {};  // [S][K]  c_i = Σ_j α_ij of these

  // e_ij = Σ_k term(i,j,k); empty for a score that is not such a sum.
  EnergyTerms::Kind kind = EnergyTerms::Kind::kNone;
  std::string query_name = {};  // its symbol in the score's formula
  std::string key_name = {};
  std::vector<std::vector<Real>> term_query = {};  // [T][A]
  std::vector<std::vector<Real>> term_keys = {};   // [S][A]
  std::vector<Real> v = {};                        // [A], for kTanh
  double scale = 1;

  // v_k tanh(q_ik + k_jk), or scale q_ik k_jk.
  double term(std::size_t i, std::size_t j, std::size_t k) const;
};

// Repeats the steps of a finished hypothesis and records the inputs of its attention. The decoding must be new and have
// one sentence; `tokens` are those of the hypothesis. Traces are ordered by place, layer and head; empty if the model
// has no attention or does not expose its inputs.
std::vector<AttentionTrace> trace_attention(Decoding& decoding, std::span<const TokenId> tokens);

}  // namespace dhyan
