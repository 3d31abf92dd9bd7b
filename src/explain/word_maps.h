#pragma once

#include "core/grid_shape.h"
#include "explain/explanation.h"
#include "explain/picture_maps.h"

namespace dhyan {

// Where a model looks while it writes each word of a caption, without </s>: cross-attention over the grid of cells that
// its encoder makes of a picture. Empty for a model without attention. UsageError for other attention, and if several
// layers and heads are chosen without a summary: a word has one map.
std::vector<WordMap> word_maps(const Hypothesis& caption, const Tokenizer& tokenizer, GridShape grid,
                               const ExplainOptions& options);

}  // namespace dhyan
