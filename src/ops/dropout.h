#pragma once

#include "autograd/tape.h"
#include "core/segments.h"

namespace dhyan {

// In training, each element becomes 0 with this probability and is divided by 1 - probability otherwise
// ([srivastava2014]). Without a tape, or with probability 0, x itself. Throws ConfigError unless 0 <= probability < 1.
Var dropout(const Var& x, double probability);  // any shape -> same shape

// x + dropout(y), in one pass.
Var add_dropped(const Var& x, const Var& y, double probability);  // two of one shape -> same shape

// Drops the same columns in all rows of a sentence ([gal2016]): one mask [H] per sentence.
Var variational_dropout(const Var& x, const Segments& segments, double probability);  // [R,H] -> [R,H]

// Drops whole rows, which are words ([sennrich2016]).
Var word_dropout(const Var& x, double probability);  // [R,H] -> [R,H]

}  // namespace dhyan
