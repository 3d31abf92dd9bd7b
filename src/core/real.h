#pragma once

#include <cstdint>

namespace dhyan {

// The element type of tensors and kernels. `float` for users; `double` (preset "double") for gradient checks.
#ifdef DHYAN_REAL_DOUBLE
using Real = double;
#else
using Real = float;
#endif

// Sizes, row numbers and offsets. Signed, so that differences may be negative.
using Index = std::int64_t;

// A token's id in its vocabulary, or the index of a row in a gather.
using RowId = std::int32_t;

}  // namespace dhyan
