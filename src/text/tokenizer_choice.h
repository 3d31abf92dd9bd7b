#pragma once

#include <span>
#include <string>

#include "text/text_profile.h"

namespace dhyan {

// The name of a kind that is to be chosen from the text.
inline constexpr std::string_view kChosenKind = "auto";

bool is_subword_kind(std::string_view kind);

struct TokenizerChoice {
  std::string kind;
  Index vocabulary_size = 0;
  double character_coverage = 1;
  std::string reason;  // what was chosen and why, a line for people; empty if nothing was
};

// Fills in what is not given: the kind if it is "auto", size and coverage.
// One token for every 100 running words of the text, so that a token is seen about 100 times [gowda2020], between 1,000
// and 8,000 and at least twice the number of characters. BPE; a unigram model for scripts without spaces between words.
// All characters get pieces unless there are more than 2,000 (Han, Hangul): then those that make up 99.95 % of the
// text. Words and characters: 8,000 at most. `texts` has a profile for each vocabulary.
TokenizerChoice choose_tokenizer(std::string_view kind, const TokenizerOptions& given,
                                 std::span<const TextProfile> texts);

// ConfigError with the least possible number for a size that cannot hold the characters of a text (subwords), or that
// leaves more than half of the running words, or characters, unknown.
void expect_possible_size(const TokenizerChoice& choice, std::span<const TextProfile> texts);

}  // namespace dhyan
