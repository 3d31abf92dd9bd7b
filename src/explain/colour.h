#pragma once

#include <string>
#include <string_view>

namespace dhyan {

enum class Colour { kNo, kYes };

// Text on a background that is the brighter the nearer the weight is to 1, by the escapes of a terminal.
std::string shaded(std::string_view text, double weight);

}  // namespace dhyan
