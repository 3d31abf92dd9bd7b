#pragma once

#include <span>
#include <string>
#include <string_view>

namespace dhyan {

// The tokenizers of BLEU, with sacreBLEU's names ([post2018]).
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
