#pragma once

#include <span>
#include <string>
#include <string_view>

namespace dhyan {

// How BLEU takes sentences apart, by the names of sacreBLEU ([post2018]); a score depends on it much.
struct BleuTokenizer {
  std::string_view name;
  std::string_view description;
  // Tokens, with blanks between them.
  std::u32string (*separate)(std::u32string_view line);
};
std::span<const BleuTokenizer> bleu_tokenizers();

// Throws ConfigError for a name that is not in the table.
const BleuTokenizer& bleu_tokenizer(std::string_view name);

}  // namespace dhyan
