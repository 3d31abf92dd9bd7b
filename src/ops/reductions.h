#pragma once

#include "autograd/tape.h"
#include "core/segments.h"

namespace dhyan {

Var sum(const Var& x);       // any shape -> []; 0 for no elements
Var mean(const Var& x);      // any shape -> []; throws ShapeError for no elements
Var row_sums(const Var& x);  // [M,H] -> [M]

// Over the rows of each sentence; an empty one gives zeros.
Var segment_sum(const Var& x, const Segments& segments);   // [R,H] -> [B,H]
Var segment_mean(const Var& x, const Segments& segments);  // [R,H] -> [B,H]

}  // namespace dhyan
