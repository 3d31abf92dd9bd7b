#pragma once

#include <string>
#include <vector>

#include "explain/attention_map.h"
#include "translator/translator.h"

namespace dhyan::cli {

// A translation on words or subwords, </s> the last of both sides. Without text, everything is empty.
//
// A line that was cut into sentences is put together to one: units and positions are those of the whole line, with one
// </s> at its end. Each sentence attends to its own words alone, so the map is made of blocks, and 0 outside of them.
// The column of </s> holds what each row gave to the end of its own sentence, so that rows still sum to 1; the row of
// </s> is the mean of those of the sentences, and its score their sum.
struct TranslationUnits {
  std::vector<std::string> source;
  std::vector<std::string> target;
  std::vector<double> scores;  // of target
  AttentionMap map;            // empty where the model has no cross-attention, or nobody asked
};

// Of what was written by the model,
TranslationUnits written_units(const Translation& translation, const TokenizerPair& tokenizers, Units units);

// and of a given text that was scored: target units are those of the text, whatever became of it in tokens.
TranslationUnits given_text_units(const Translation& scored, const TokenizerPair& tokenizers, Units units);

}  // namespace dhyan::cli
