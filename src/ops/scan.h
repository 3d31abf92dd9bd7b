#pragma once

#include "autograd/tape.h"
#include "core/segments.h"

namespace dhyan {

// A recurrence down the rows of each sentence without a product between steps: c_r = f_r c_{r-1} + (1 - f_r) x_r. The
// first row of sentence b follows start_b, or zeros.
Var gated_scan(const Var& x, const Var& f, const Segments& segments, const Var& start = {});  // [R,H] [R,H] [B,H]

}  // namespace dhyan
