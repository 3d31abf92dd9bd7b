#pragma once

#include <string>
#include <string_view>

namespace dhyan {

// Lower case by Unicode's full, language-independent mapping: İ becomes two characters, and a Σ at the end of a word
// becomes ς.
std::u32string lowercase(std::u32string_view text);
std::string lowercase(std::string_view text);

}  // namespace dhyan
