#pragma once

#include <string>
#include <string_view>

namespace dhyan {

// In small letters, by Unicode's full mapping without regard to language: İ becomes two characters, and a Σ that ends
// a word becomes ς.
std::u32string lowercase(std::u32string_view text);
std::string lowercase(std::string_view text);

}  // namespace dhyan
