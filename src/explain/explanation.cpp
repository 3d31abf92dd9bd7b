#include "explain/explanation.h"

namespace dhyan {

Explanation explain(const Translated& translated, const TokenizerPair& tokenizers, const ExplainOptions& options) {
  const Hypothesis& hypothesis = translated.hypothesis;
  const Units units = options.units;
  const SentenceUnits sentence{
      .source = translated.source_tokens.empty()
                    ? TokenUnits()
                    : source_units(*tokenizers.source, translated.line, translated.source_tokens, units),
      .target = target_units(*tokenizers.target, hypothesis.tokens, units),
      .given = given_units(*tokenizers.target, hypothesis.tokens, units)};
  return {.source = std::string(translated.line),
          .translation = std::string(translated.text),
          .log_probability = hypothesis.log_probability,
          .units = units,
          .source_units = sentence.source.labels,
          .target_units = sentence.target.labels,
          .target_scores = unit_scores(hypothesis.token_scores, sentence.target),
          .maps = attention_maps(hypothesis.attention, sentence, options.attention),
          .thought = {translated.thought.begin(), translated.thought.end()}};
}

}  // namespace dhyan
