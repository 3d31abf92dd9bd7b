#pragma once

#include "autograd/tape.h"

namespace dhyan {

// x as bfloat16, or x itself if it has the dtype already. Attention reads bfloat16 keys and values of a KV cache twice
// as fast from far memory: energies() and contexts() take them, other ops throw DtypeError. They have no gradient:
// UsageError if there is a tape.
Var cast(const Var& x, Dtype dtype);  // [M,N] -> [M,N]

}  // namespace dhyan
