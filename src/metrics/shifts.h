#pragma once

#include "metrics/words.h"

namespace dhyan {

// The number of edits from hypothesis to reference: insertions, deletions, replacements and shifts of word ranges
// ([snover2006]). Finding the minimum is NP-hard; this greedy search takes the best shift at each step, with the limits
// and tie-breaking of sacreBLEU.
Index edits_with_shifts(const Symbols& hypothesis, const Symbols& reference);

}  // namespace dhyan
