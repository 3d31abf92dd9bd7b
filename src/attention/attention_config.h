#pragma once

#include <string>

#include "core/real.h"

namespace dhyan {

struct AttentionConfig {
  std::string score = "additive";  // in the table of scores
  std::string window = "global";   // in the table of windows
  Index heads = 1;
  Index hidden = 0;     // A, of the scores that have a layer of their own; 0: as wide as the query
  Index radius = 10;    // D, of the local windows
  Index longest = 256;  // positions the location score knows
};

}  // namespace dhyan
