#pragma once

#include <string>
#include <vector>

#include "explain/attention_map.h"
#include "translator/translator.h"

namespace dhyan {

// A translation on words or subwords, </s> the last of both sides. Without text, everything is empty.
//
// The sentences of a split line are joined: units and positions are those of the whole line, with one </s> at its end.
// Each sentence attends to its own words only, so the map is block diagonal. The column of </s> holds the weight that
// each row gave to the end of its own sentence, so that rows still sum to 1; the row of </s> is the mean of the rows
// of the sentences' </s>, and its score their sum.
struct TranslationUnits {
  std::vector<std::string> source;
  std::vector<std::string> target;
  std::vector<double> scores;  // of target
  AttentionMap map;            // empty if the model has no cross-attention, or attention was not recorded
};

// The units of a translation by the model,
TranslationUnits written_units(const Translation& translation, const TokenizerPair& tokenizers, Units units);

// and of a given text that was scored: target units are those of the given text, not of its decoded tokens.
TranslationUnits given_text_units(const Translation& scored, const TokenizerPair& tokenizers, Units units);

}  // namespace dhyan
