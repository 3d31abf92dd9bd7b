#pragma once

#include <string_view>

#include "core/error.h"
#include "core/real.h"

namespace dhyan {

// Checks that the configs of all models share: ConfigError names the setting.
inline void expect_at_least_one(std::string_view what, Index number) {
  if (number < 1) throw ConfigError(cat(what, " is ", number, ", expected 1 or more"));
}

// Of cells or layers, which cost time and memory each.
inline void expect_small_count(std::string_view what, Index number) {
  if (number < 0 || number > 64) throw ConfigError(cat(what, " is ", number, ", expected 0 to 64"));
}

inline void expect_probability(std::string_view what, double p) {
  if (!(p >= 0 && p < 1)) throw ConfigError(cat(what, " is ", p, ", expected 0 <= p < 1"));
}

}  // namespace dhyan
