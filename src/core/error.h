#pragma once

#include <dhyan/error.h>
#include <sstream>
#include <string>

namespace dhyan {

// cat("a is ", 3, ", not ", 4) == "a is 3, not 4"; for messages, so that core needs no formatting library.
template <class... Parts>
std::string cat(const Parts&... parts) {
  std::ostringstream text;
  (text << ... << parts);
  return std::move(text).str();
}

}  // namespace dhyan
