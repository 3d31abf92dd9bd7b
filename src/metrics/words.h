#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/real.h"

namespace dhyan {

// White space as in sacreBLEU: is_space of text/unicode.h, no-break spaces, and the four ASCII separators. Scores
// depend on it.
bool is_blank(char32_t code);

// The words between blanks; views into the text.
std::vector<std::u32string_view> split_words(std::u32string_view text);

std::u32string_view without_trailing_blanks(std::u32string_view text);

// A sentence of words or characters as ids, for n-grams.
using Symbols = std::vector<char32_t>;

// Assigns ids to words. The texts of the words must outlive it.
class WordNumbers {
 public:
  Symbols operator()(const std::vector<std::u32string_view>& words);

 private:
  std::unordered_map<std::u32string_view, char32_t> numbers_;
};

}  // namespace dhyan
