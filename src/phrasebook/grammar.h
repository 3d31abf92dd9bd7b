#pragma once

#include <span>
#include <string_view>

#include "phrasebook/draw.h"

namespace dhyan::phrases {

// One way to make a sentence, drawn in proportion to its weight.
struct Family {
  unsigned weight;
  Part (*make)(Draw& draw);
};

// A language pair of the phrasebook.
struct Grammar {
  std::string_view pair;  // "hi-en", source first
  std::span<const Family> families;
  // Drawn as well if sentences may be longer than kUsualWords.
  std::span<const Family> longer;
  // Demonstration sentences, made by the same grammar: always in test, never in train.
  std::span<Part (*const)(Draw& draw)> shown;
  // Combinations held out of train, so that train lacks these and similar sentences.
  std::span<const std::string_view> held_out;
  std::size_t train_pairs;
  unsigned held_out_percent = 2;  // of all combinations, for dev and for test
};

const Grammar& hindi_grammar();
const Grammar& french_grammar();
const Grammar& reference_grammar();  // English to French; every sentence has an "it" (PhrasePair::it)

}  // namespace dhyan::phrases
