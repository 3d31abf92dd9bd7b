#pragma once

#include <string>
#include <vector>

#include "decoding/hypothesis.h"

namespace dhyan {

// What the energies and contexts of one layer and head were made of, over one finished sentence. Rows are the steps of
// the hypothesis, columns what they could look at, as in AttentionRecord of the same place, layer and head.
struct AttentionTrace {
  AttentionPlace place = AttentionPlace::kCross;
  Index layer = 0;
  Index head = 0;
  std::vector<std::vector<Real>> query = {};   // [T][Q]  s_i; of a score by products, the head's columns
  std::vector<std::vector<Real>> values = {};  // [S][K]  c_i = Σ_j α_ij of these

  // e_ij = Σ_k of a term of these; none of a score that is no such sum.
  EnergyTerms::Kind kind = EnergyTerms::Kind::kNone;
  std::string query_name = {};  // in the score's formula
  std::string key_name = {};
  std::vector<std::vector<Real>> term_query = {};  // [T][A]
  std::vector<std::vector<Real>> term_keys = {};   // [S][A]
  std::vector<Real> v = {};                        // [A], of kTanh
  double scale = 1;

  // v_k tanh(q_ik + k_jk), or scale q_ik k_jk.
  double term(std::size_t i, std::size_t j, std::size_t k) const;
};

// Steps through a sentence that was translated before, as search did, and keeps what its attention was made of. The
// decoding is new and of one sentence; tokens are those of the hypothesis. By place, layer and head; none of a model
// that does not attend, or does not say what its attention is made of.
std::vector<AttentionTrace> trace_attention(Decoding& decoding, std::span<const TokenId> tokens);

}  // namespace dhyan
