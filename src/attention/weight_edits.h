#pragma once

#include <optional>
#include <span>
#include <vector>

#include "attention/windows.h"

namespace dhyan {

// Weights to attend with instead of the model's, for the queries of a sentence that stand at one position. A group of
// keys gets a given sum, which its keys share in the proportions that the model gave them, or equally if it gave them
// nothing. The sums add up to 1; a key that is to be left out is a group of sum 0 beside one with all others.
struct WeightEdit {
  Index step = 0;                          // position of the queries
  std::optional<Index> layer = {};         // from 0; none: all
  std::optional<Index> head = {};          // likewise
  std::vector<std::size_t> group_of = {};  // [S] of each key
  std::vector<Real> sums = {};             // [groups]
};

// The edits of each sentence of a batch, one after the other; none: no sentence has any.
using WeightEdits = std::span<const std::vector<WeightEdit>>;

// Those that are for one layer.
struct LayerEdits {
  WeightEdits sentences = {};
  Index layer = 0;
};

// The weights as they are after the edits; without edits, the weights themselves. UsageError with a tape, since edits
// have no gradient; ShapeError if they are of another number of sentences, or one of another number of keys.
Var edited(const Var& weights, const AttentionLayout& layout, const QueryPositions& positions,
           const LayerEdits& edits);  // [Σ N T_b S_b] -> same

}  // namespace dhyan
