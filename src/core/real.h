#pragma once

#include <cstdint>

namespace dhyan {

// The type of every number in a tensor. `float` for users; `double` (preset "double") for gradient checks.
#ifdef DHYAN_REAL_DOUBLE
using Real = double;
#else
using Real = float;
#endif

// Sizes, row numbers and offsets. Signed, so that differences of sizes are what they look like.
using Index = std::int64_t;

// A token's number in its vocabulary, or a row's number in a gather.
using RowId = std::int32_t;

}  // namespace dhyan
