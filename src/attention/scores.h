#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/rng.h"
#include "ops/attention_products.h"
#include "ops/ragged.h"

namespace dhyan {

// Keys and values that queries attend to, computed once per sentence.
struct Memory {
  Var keys;           // [ΣS,.]    the annotations in the form that the score reads
  Var values;         // [ΣS,N*K]
  Segments segments;  // of both
};

inline Memory keep(Frame& frame, const Memory& memory) {
  return {frame.keep(memory.keys), frame.keep(memory.values), memory.segments};
}

// How a score computes an energy from query and key, for explanations:
//   kProducts  e = scale Σ_k q_k k_k
//   kTanh      e = Σ_k v_k tanh(q_k + k_k)
// Each head has its own columns. kNone: the energy is no such sum.
struct EnergyTerms {
  enum class Kind { kNone, kProducts, kTanh };
  Kind kind = Kind::kNone;
  std::string_view query_name = {};  // of q and k in the score's formula, e.g. "s W" and "h_j U + b"
  std::string_view key_name = {};
  Var query = {};  // [ΣT,N*A]
  Var keys = {};   // [ΣS,N*A]
  Var v = {};      // [N*A], of kTanh
  double scale = 1;
};

struct ScoreSize {
  Index query = 0;      // Q
  Index key = 0;        // K
  Index hidden = 0;     // A
  Index heads = 1;      // N; Q, K and A are of all heads together
  Index longest = 256;  // L: positions, of the location score
  bool inner_norm = false;
};

// The arguments for making a score: its parameters are added as name.W, name.v, ...
struct ScoreMaking {
  ParameterSet& parameters;
  std::string name;
  ScoreSize size;
  Rng rng;
};

// How well a query and a key match: e_ij = score(s_i, h_j).
class Score {
 public:
  virtual ~Score() = default;

  // The annotations in the form that this score reads: the part of it that needs no query.
  virtual Var keys(const Var& annotations) const { return annotations; }  // [ΣS,K] -> [ΣS,.]

  virtual Var operator()(const Var& query, const Memory& memory,
                         const AttentionLayout& layout) const = 0;  // [Σ N T_b S_b]

  // The terms that the energies are sums of; heads share the columns.
  virtual EnergyTerms terms(const Var&, const Memory&, Index /*heads*/) const { return {}; }

  // Whether energies() alone reads the keys, which may then be bfloat16.
  virtual bool reads_bfloat16() const { return false; }
};

// The table of score functions. A new one is a class and a line in scores.cpp; everything that lists, checks or makes
// scores iterates such a table.
struct ScoreEntry {
  std::string_view name;
  std::string_view formula;
  std::string_view reference;  // a key of docs/refs.bib
  std::function<std::unique_ptr<Score>(const ScoreMaking& making)> make;
};

std::span<const ScoreEntry> scores();

// By name. ConfigError if the table has none such, or if sizes do not fit the score.
std::unique_ptr<Score> make_score(std::string_view name, const ScoreMaking& making,
                                  std::span<const ScoreEntry> table = scores());

}  // namespace dhyan
