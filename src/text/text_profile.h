#pragma once

#include <map>

#include "text/tokenizer_training.h"
#include "text/vocabulary.h"

namespace dhyan {

// Counts over the training text of a vocabulary.
struct TextProfile {
  Index lines = 0;
  std::uint64_t words = 0;                       // running words, separated by spaces
  TokenCounts types;                             // distinct words
  std::map<char32_t, std::uint64_t> characters;  // without spaces
};

// Counts the first `most_lines` lines, in NFC; 0: all. DataError for a line that is not UTF-8.
TextProfile profile_of(const LineSource& lines, Index most_lines);

// Letters of scripts that put no spaces between words (Han, Kana, Thai, Lao, Khmer, Myanmar, Tibetan), and all letters.
struct UnspacedLetters {
  std::uint64_t unspaced = 0;
  std::uint64_t letters = 0;
};
UnspacedLetters unspaced_letters(const TextProfile& profile);

// The number of most frequent entries that cover this share of the total count.
Index entries_for_share(std::vector<std::uint64_t> counts, double share);
std::vector<std::uint64_t> counts_of(const TokenCounts& counts);
std::vector<std::uint64_t> counts_of(const std::map<char32_t, std::uint64_t>& counts);

}  // namespace dhyan
