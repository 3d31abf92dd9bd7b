#pragma once

#include <string>
#include <string_view>

namespace dhyan {

enum class Colour { kNo, kYes };

// Text on a background whose brightness grows with a weight from 0 to 1, as escape sequences of a terminal.
std::string shaded(std::string_view text, double weight);

}  // namespace dhyan
