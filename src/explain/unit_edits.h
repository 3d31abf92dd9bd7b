#pragma once

#include <optional>
#include <span>
#include <vector>

#include "attention/weight_edits.h"
#include "explain/units.h"

namespace dhyan {

// A row of cross-attention as a reader wants it.
struct UnitEdit {
  Index step = 1;                    // of the target units, from 1
  std::optional<Index> layer = {};   // from 1; none: all
  std::optional<Index> head = {};    // likewise
  std::vector<double> weights = {};  // [S] of the source units
};

// The edits of one step in tokens, for a translation that was recorded like this; none if all the rows are as they
// were. A unit's weight is shared by its tokens in the proportions that the model gave them. A target unit of several
// tokens has the mean of their rows, so weight is moved in each: from units that are to have less, in proportion to
// what they had, to those that are to have more. The mean is then the row that was asked for.
//
// Throws UsageError, beginning with "edits", for a step, layer or head that is not there, another number of weights,
// weights that are negative or infinite, and a sum that is farther than 0.001 from 1; a nearer one is made 1.
std::vector<WeightEdit> weight_edits(std::span<const UnitEdit> step, std::span<const AttentionRecord> records,
                                     const SentenceUnits& units);

}  // namespace dhyan
