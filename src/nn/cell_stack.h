#pragma once

#include <vector>

#include "nn/cells.h"

namespace dhyan {

// A step of several cells, one after the other, each beginning from the state that the one before it leaves: a deep
// transition ([micelibarone2017] section 2.3.2). The first reads the input, and `transitions` more read the state
// alone. Parameters name.* of the first, then name.transition.0.*, name.transition.1.*, ...
class CellStack {
 public:
  CellStack(std::string_view kind, ParameterSet& parameters, const std::string& name, const CellSize& size,
            Index transitions, const CellOptions& options);

  Var project(const Var& x) const { return first().project(x); }  // [.,E] -> [.,G H]  of all steps at once
  State step(const Var& from_x, const State& before) const;       // [n,G H] [n,H] -> [n,H]
  State zeros(Scope& scope, Index n) const { return first().zeros(scope, n); }  // [n,H]

  Index hidden() const { return first().hidden(); }
  Index gates() const { return first().gates(); }  // G

 private:
  const Cell& first() const { return *cells_.front(); }

  std::vector<std::unique_ptr<const Cell>> cells_;
};

}  // namespace dhyan
