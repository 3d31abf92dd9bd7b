#pragma once

#include <vector>

#include "autograd/tape.h"

namespace dhyan {

// States of fixed size that layers of a decoder pass from a step to the next, for hypotheses that grow by a word a
// step. A layer that attends has a KeyValueCache instead.
class LayerStates {
 public:
  explicit LayerStates(Index layers) : layers_(static_cast<std::size_t>(layers)) {}

  // Hypothesis i now continues the former hypothesis rows[i]. Before the first keep() there are no states.
  void follow(std::span<const RowId> rows);

  // The state of a layer for each hypothesis; zeros before its first keep(). Valid until follow().
  Var before(Scope& scope, Index layer, Index width) const;  // [A,width]
  void keep(Index layer, const Var& state);                  // [A,width], copied

 private:
  struct Layer {
    Index width = 0;
    std::vector<Real> now, next;  // [A,width], and room for the next ones
  };

  std::vector<Layer> layers_;
  Index hypotheses_ = 0;  // A
};

}  // namespace dhyan
