#pragma once

#include "autograd/tape.h"
#include "kernels/bfloat16/bfloat16_rows.h"

namespace dhyan {

// Rows of 16 bits a number, which attention reads twice as fast where they lie far away: keys of energies() and values
// of contexts(). For other ops they have no numbers. Without a tape.

// x, rounded. UsageError if something is recorded.
Var to_bfloat16(const Var& x);  // [M,N] -> [M,N]

// Rows in somebody else's memory.
Var bfloat16_constant(Scope& scope, const kernels::Bfloat16Matrix& rows);

// The rows of such a value; null for one of Reals.
const kernels::Bfloat16Matrix* bfloat16_rows(const Var& x);

}  // namespace dhyan
