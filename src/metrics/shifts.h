#pragma once

#include "metrics/words.h"

namespace dhyan {

// Edits that make a reference of a hypothesis: a word inserted, deleted or replaced, or a stretch of words moved to
// where the reference has it ([snover2006]). The fewest cannot be found in sensible time; these are what a greedy
// search finds that takes the best move at each step, with the limits and the preferences of sacreBLEU.
Index edits_with_shifts(const Symbols& hypothesis, const Symbols& reference);

}  // namespace dhyan
