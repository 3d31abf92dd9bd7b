#pragma once

#include <string>

namespace dhyan {

// For tests: text without the escape sequences of shaded().
inline std::string without_colour(const std::string& text) {
  std::string bare;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b')
      i = text.find('m', i);
    else
      bare += text[i];
  }
  return bare;
}

}  // namespace dhyan
