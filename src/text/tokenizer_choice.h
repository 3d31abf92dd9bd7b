#pragma once

#include <span>
#include <string>

#include "text/text_profile.h"

namespace dhyan {

// The kind that means "choose from the text".
inline constexpr std::string_view kChosenKind = "auto";

bool is_subword_kind(std::string_view kind);

struct TokenizerChoice {
  std::string kind;
  Index vocabulary_size = 0;
  double character_coverage = 1;
  std::string reason;  // the choice and its reason, for the user; empty if nothing was chosen
};

// Chooses the settings that are not given: the kind if it is "auto", size and coverage.
// One token for every 100 running words of the text, so that a token is seen about 100 times [gowda2020], between 1,000
// and 8,000 and at least twice the number of characters. BPE; a unigram model for scripts without spaces between words.
// All characters get pieces unless there are more than 2,000 (Han, Hangul): then those that make up 99.95 % of the
// text. Words and characters: 8,000 at most. `texts` has a profile for each vocabulary.
TokenizerChoice choose_tokenizer(std::string_view kind, const TokenizerOptions& given,
                                 std::span<const TextProfile> texts);

// ConfigError, with the smallest possible size, for a vocabulary that cannot hold the characters of the text (subwords)
// or that leaves more than half of the running words or characters unknown.
void expect_possible_size(const TokenizerChoice& choice, std::span<const TextProfile> texts);

}  // namespace dhyan
