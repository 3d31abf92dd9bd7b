#include "explain/explanation.h"

namespace dhyan {

namespace {

TokenUnits units_of_source(const Translated& translated, const Tokenizer& tokenizer, Units units) {
  if (!translated.gap.empty()) {
    const TokenUnits gapped = gapped_units(tokenizer, translated.line, translated.gap, units);
    const bool begins = !translated.source_tokens.empty() && translated.source_tokens.front() == kBegin;
    return begins ? joined({{std::string(tokenizer.piece(kBegin))}, {0}, false}, gapped) : gapped;
  }
  if (translated.source_tokens.empty()) return {};
  return source_units(tokenizer, translated.line, translated.source_tokens, units);
}

}  // namespace

SentenceUnits sentence_units(const Translated& translated, const TokenizerPair& tokenizers, Units units) {
  const std::vector<TokenId>& written = translated.hypothesis.tokens;
  return {.source = units_of_source(translated, *tokenizers.source, units),
          .target = target_units(*tokenizers.target, written, units),
          .given = given_units(*tokenizers.target, written, units)};
}

Explanation explain(const Translated& translated, const TokenizerPair& tokenizers, const ExplainOptions& options) {
  const Hypothesis& hypothesis = translated.hypothesis;
  const Units units = options.units;
  const SentenceUnits sentence = sentence_units(translated, tokenizers, units);
  return {.source = std::string(translated.line),
          .translation = std::string(translated.text),
          .log_probability = translated.gap.empty() ? std::optional(hypothesis.log_probability) : std::nullopt,
          .units = units,
          .source_units = sentence.source.labels,
          .target_units = sentence.target.labels,
          .target_scores = unit_scores(hypothesis.token_scores, sentence.target),
          .maps = attention_maps(hypothesis.attention, sentence, options.attention),
          .context_vector = {translated.context_vector.begin(), translated.context_vector.end()}};
}

}  // namespace dhyan
