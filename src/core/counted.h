#pragma once

#include "core/number_text.h"

namespace dhyan {

// "1 line", "1,234 lines": a noun whose plural ends in s, for messages.
inline std::string counted(std::uint64_t number, std::string_view noun) {
  return grouped(number) + ' ' + std::string(noun) + (number == 1 ? "" : "s");
}

}  // namespace dhyan
