#pragma once

#include "core/number_text.h"

namespace dhyan {

// "1 line", "1,234 lines": for nouns whose plural ends in s.
inline std::string pluralize(std::uint64_t number, std::string_view noun) {
  return grouped(number) + ' ' + std::string(noun) + (number == 1 ? "" : "s");
}

}  // namespace dhyan
