#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "ops/attention_products.h"
#include "ops/ragged.h"

namespace dhyan {

// What is attended to, made once per sentence.
struct Memory {
  Var keys;           // [ΣS,N*K]
  Var values;         // [ΣS,N*K]
  Segments segments;  // of both
};

// How well a query and a key go together: e_ij = score(s_i, h_j).
class Score {
 public:
  virtual ~Score() = default;
  virtual Var operator()(const Var& query, const Memory& memory, const Pairing& pairing) const = 0;
};

// The table of score functions. A new one is a class and a line in scores.cpp; all that lists, checks or makes scores
// goes through here.
struct ScoreEntry {
  std::string_view name;
  std::string_view formula;
  std::string_view reference;  // a key of docs/refs.bib
  std::unique_ptr<Score> (*make)();
};

std::span<const ScoreEntry> scores();

// By name; ConfigError that lists the names if there is none such.
std::unique_ptr<Score> make_score(std::string_view name);

}  // namespace dhyan
