#pragma once

#include <limits>

#include "core/real.h"

namespace dhyan {

// For tests: what a number may be that is none.
inline constexpr Real kInfinity = std::numeric_limits<Real>::infinity();
inline constexpr Real kNan = std::numeric_limits<Real>::quiet_NaN();

}  // namespace dhyan
