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

// A source language of the phrasebook.
struct Grammar {
  std::string_view pair;  // "hi-en"
  std::span<const Family> families;
  // Drawn as well if sentences may be longer than kUsualWords.
  std::span<const Family> longer;
  // Demonstration sentences, made by the same grammar: always in test, never in train.
  std::span<Part (*const)(Draw& draw)> shown;
  // Combinations held out of train, so that train lacks these and similar sentences.
  std::span<const std::string_view> held_out;
  std::size_t train_pairs;
};

const Grammar& hindi_grammar();
const Grammar& french_grammar();

}  // namespace dhyan::phrases
