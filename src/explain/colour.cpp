#include "explain/colour.h"

#include <algorithm>
#include <iterator>

#include "core/error.h"

namespace dhyan {

// From dark to bright blue along the 256-colour cube, readable text on top.
std::string shaded(std::string_view text, double weight) {
  constexpr int kRamp[] = {17, 18, 19, 20, 26, 32, 38, 44, 50};
  constexpr int kSteps = std::size(kRamp);
  const int level = weight > 0 ? std::min(static_cast<int>(std::min(weight, 1.0) * kSteps), kSteps - 1) : 0;
  return cat("\x1b[48;5;", kRamp[level], "m\x1b[38;5;", level < 5 ? 255 : 16, 'm', text, "\x1b[0m");
}

}  // namespace dhyan
