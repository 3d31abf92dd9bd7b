#pragma once

#include <limits>

#include "core/real.h"

namespace dhyan {

// For tests.
inline constexpr Real kInfinity = std::numeric_limits<Real>::infinity();
inline constexpr Real kNan = std::numeric_limits<Real>::quiet_NaN();

}  // namespace dhyan
