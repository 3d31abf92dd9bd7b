#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/real.h"

namespace dhyan {

// What sacreBLEU takes for white space: text/unicode.h's is_space, the spaces that do not break a line, and the four
// separators of ASCII. Scores depend on it.
bool is_blank(char32_t code);

// What stands between blanks. Looks into the text.
std::vector<std::u32string_view> split_words(std::u32string_view text);

std::u32string_view without_trailing_blanks(std::u32string_view text);

// A sentence of words, or of characters, as numbers: what n-grams are made of.
using Symbols = std::vector<char32_t>;

// Gives equal words equal numbers. The texts of the words must outlive it.
class WordNumbers {
 public:
  Symbols operator()(const std::vector<std::u32string_view>& words);

 private:
  std::unordered_map<std::u32string_view, char32_t> numbers_;
};

}  // namespace dhyan
