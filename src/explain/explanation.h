#pragma once

#include "explain/attention_choice.h"
#include "text/tokenizer_factory.h"

namespace dhyan {

// How one translation came about, for people and for programs to look at.
struct Explanation {
  std::string source;  // the line as it was given; nothing of a text that was not translated
  std::string translation;
  std::optional<double> log_probability = {};  // of the translation, or of a text that was read
  Units units = Units::kWords;
  std::vector<std::string> source_units;  // [S] </s> the last
  std::vector<std::string> target_units;  // [T]
  std::vector<double> target_scores;      // [T] log p of each
  std::vector<AttentionMap> maps;         // by place, layer, head; none of a model that does not attend
  std::vector<double> context_vector;     // [H] the one fixed vector of such a model
};

// A translation, and what made it.
struct Translated {
  std::string_view line;
  std::string_view text;
  std::span<const TokenId> source_tokens;  // </s> the last; none of a text without a source
  const Hypothesis& hypothesis;
  std::span<const Real> context_vector = {};  // [H] of a model that does not attend
  std::string_view gap = {};  // what is hidden in the line from a model that fills it in; it translates nothing
};

struct ExplainOptions {
  Units units = Units::kWords;
  AttentionChoice attention = {};
};
Explanation explain(const Translated& translated, const TokenizerPair& tokenizers, const ExplainOptions& options);

}  // namespace dhyan
