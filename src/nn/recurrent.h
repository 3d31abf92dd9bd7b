#pragma once

#include <vector>

#include "nn/cell_stack.h"
#include "nn/dropout.h"
#include "nn/recurrent_plan.h"
#include "nn/residual_norm.h"

namespace dhyan {

enum class Directions { kForward, kBoth };

// What a layer over both directions reads: the output of both, or each direction its own, so that two stacks meet only
// in the annotations. The first layer of separate stacks has no residual.
enum class Stacks { kJoint, kSeparate };

struct RecurrentOptions {
  std::string cell = "gru";  // in the table of cells
  Index layers = 1;
  Directions directions = Directions::kForward;
  Stacks stacks = Stacks::kJoint;
  Index transitions = 0;  // of each cell, see CellStack
  Dropout between_layers = Dropout(0);
  ResidualNormOptions end = {};  // of each layer; the annotations of both directions are one row
  CellOptions weights = {};
};

struct Recurred {
  Var annotations;                // [ΣS,D H], D directions: [forward h_j; backward h_j]
  std::span<const State> finals;  // [B,H] each, forward at the last word, backward at the first; in the step's arena
};

// Recurrent layers over sentences of any length. Cells are named name.0.forward, name.0.backward, name.1.forward, ...
// and states are listed in the same order. They are the states of the cells, before the norm and
// residual at the end of a layer.
class Recurrent {
 public:
  Recurrent(ParameterSet& parameters, const std::string& name, const CellSize& size,
            const RecurrentOptions& options = {});

  // Without initial states, they are zero. An empty sentence ends in its initial state. The plan is of x.segments.
  Recurred operator()(const Ragged& x, const RecurrentPlan& plan, std::span<const State> initial = {}) const;

  Index directions() const { return directions_; }
  Index layers() const { return static_cast<Index>(cells_.size()) / directions_; }
  Index out() const { return directions_ * cells_.front().hidden(); }  // D H

 private:
  Var read_by(std::size_t cell, const Var& rows) const;

  const CellEntry* kind_;
  Index directions_;
  Stacks stacks_;
  Dropout between_layers_;
  std::vector<CellStack> cells_;    // layer by layer
  std::vector<ResidualNorm> ends_;  // of each layer
};

}  // namespace dhyan
