#pragma once

#include "explain/attention_choice.h"
#include "text/tokenizer_factory.h"

namespace dhyan {

// One translation with the attention and the scores behind it.
struct Explanation {
  std::string source;  // the input line; empty for a given text without a source
  std::string translation;
  std::optional<double> log_probability = {};  // of the translation, or of the given text
  Units units = Units::kWords;
  std::vector<std::string> source_units;  // [S] ends with </s>
  std::vector<std::string> target_units;  // [T]
  std::vector<double> target_scores;      // [T] log p of each
  std::vector<AttentionMap> maps;         // by place, layer, head; empty for a model without attention
  std::vector<double> context_vector;     // [H] of a model without attention
};

// A translation and the hypothesis it comes from.
struct Translated {
  std::string_view line;
  std::string_view text;
  std::span<const TokenId> source_tokens;  // ends with </s>; empty for a text without a source
  const Hypothesis& hypothesis;
  std::span<const Real> context_vector = {};  // [H] of a model without attention
  std::string_view gap = {};                  // the gap mark in the line of a masked language model; empty for others
  std::span<const std::string> cells = {};    // [S] of a picture, whose cells are attended to instead of tokens
};

// Both sides in units.
SentenceUnits sentence_units(const Translated& translated, const TokenizerPair& tokenizers, Units units);

struct ExplainOptions {
  Units units = Units::kWords;
  AttentionChoice attention = {};
};
Explanation explain(const Translated& translated, const TokenizerPair& tokenizers, const ExplainOptions& options);

}  // namespace dhyan
