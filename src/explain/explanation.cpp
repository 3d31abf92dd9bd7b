#include "explain/explanation.h"

namespace dhyan {

Explanation explain(const Translated& translated, const TokenizerPair& tokenizers, Units units) {
  const Hypothesis& hypothesis = translated.hypothesis;
  const TokenUnits source = source_units(*tokenizers.source, translated.line, translated.source_tokens, units);
  const TokenUnits target = target_units(*tokenizers.target, hypothesis.tokens, units);
  return {.source = std::string(translated.line),
          .translation = std::string(translated.text),
          .log_probability = hypothesis.log_probability,
          .units = units,
          .source_units = source.labels,
          .target_units = target.labels,
          .target_scores = unit_scores(hypothesis.token_scores, target),
          .maps = attention_maps(hypothesis, source, target),
          .thought = {translated.thought.begin(), translated.thought.end()}};
}

}  // namespace dhyan
