#include "metrics/words.h"

#include "text/unicode.h"

namespace dhyan {

bool is_blank(char32_t code) {
  return is_space(code) || code == 0xA0 || code == 0x2007 || code == 0x202F || (code >= 0x1C && code <= 0x1F);
}

std::vector<std::u32string_view> split_words(std::u32string_view text) {
  std::vector<std::u32string_view> words;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    if (at < text.size() && !is_blank(text[at])) continue;
    if (at > begin) words.push_back(text.substr(begin, at - begin));
    begin = at + 1;
  }
  return words;
}

std::u32string_view without_trailing_blanks(std::u32string_view text) {
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

Symbols WordNumbers::operator()(const std::vector<std::u32string_view>& words) {
  Symbols symbols;
  symbols.reserve(words.size());
  for (const std::u32string_view word : words) {
    symbols.push_back(numbers_.try_emplace(word, static_cast<char32_t>(numbers_.size())).first->second);
  }
  return symbols;
}

}  // namespace dhyan
