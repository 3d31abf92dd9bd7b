#pragma once

#include <string_view>
#include <vector>

#include "text/tokenizer.h"

namespace dhyan {

// What BERT's models do to letters before they cut words: lower case without accents, lower case, or nothing.
enum class BertLetters { kLowerWithoutAccents, kLower, kKept };

// A character of a normalised word and the bytes of the line that it stands for.
struct BertCharacter {
  char32_t code = 0;
  ByteRange range;
};
using BertWord = std::vector<BertCharacter>;

// The words of a line as BERT's basic tokenizer makes them ([devlin2019], bert/tokenization.py): control characters are
// left out, punctuation and Chinese characters are words of their own. Canonical decomposition where accents are left
// out. Ranges of accents and control characters inside a word belong to the character before.
std::vector<BertWord> bert_words(std::string_view line, BertLetters letters);

}  // namespace dhyan
