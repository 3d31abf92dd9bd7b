#pragma once

#include "attention/attention_config.h"
#include "ops/linear.h"
#include "ops/rows.h"

namespace dhyan {

// For tests: a score that is in no built-in table: e = -s·h, with a weight.
class MadeUpScore final : public Score {
 public:
  explicit MadeUpScore(const ScoreMaking& making) : factor_(&making.parameters.add(making.name + ".factor", {1, 1})) {}

  Var operator()(const Var& query, const Memory& memory, const AttentionLayout& layout) const override {
    const Var e = energies(query, memory.keys, layout, -1);                        // [Σ N T_b S_b]
    const Var column = reshape(e, {layout.count(), 1});                            // [Σ N T_b S_b,1]
    return reshape(linear(column, query.scope().parameter(*factor_)), e.shape());  // [Σ N T_b S_b]
  }

 private:
  const Parameter* factor_;
};

// One class, and this line:
inline const ScoreEntry kMadeUp{
    "made_up", "-w s·h", "made up here",
    [](const ScoreMaking& making) -> std::unique_ptr<Score> { return std::make_unique<MadeUpScore>(making); }};

// The built-in scores and that one.
class LongerTable {
 public:
  LongerTable() : scores_(scores().begin(), scores().end()) { scores_.push_back(kMadeUp); }

  AttentionTables tables() const { return {.scores = scores_}; }

 private:
  std::vector<ScoreEntry> scores_;
};

}  // namespace dhyan
