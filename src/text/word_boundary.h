#pragma once

#include <span>
#include <vector>

#include "text/tokenizer.h"

namespace dhyan {

// Finds the tokens that would continue the last word of a text instead of starting another one.
//
// A letter, digit or mark right behind a letter or digit continues the word; a blank or punctuation does not. Scripts
// without blanks between words (Han, Kana, Thai, Lao, Khmer, Myanmar, Tibetan) show no boundary: a letter after a
// letter can start a new word, and only a mark, which would change the last letter, continues the word. One byte of a
// character that is spelled in bytes counts as a letter.
class WordBoundary {
 public:
  explicit WordBoundary(const Tokenizer& tokenizer);

  // Ascending. None where the text does not end in a letter, digit or mark.
  std::span<const TokenId> continuing(std::string_view text) const;

 private:
  std::vector<TokenId> marks_;
  std::vector<TokenId> all_;  // marks, and letters and digits of scripts with blanks
};

}  // namespace dhyan
