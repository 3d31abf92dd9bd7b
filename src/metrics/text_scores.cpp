#include "metrics/text_scores.h"

#include "core/error.h"

namespace dhyan {

void check(const ScoringOptions& options) {
  if (options.metrics.empty()) throw UsageError("scores: no metric is given");
  for (const std::string& name : options.metrics) make_metric(name, options.settings);
  check_bounds(options.length_bounds);
}

TextScores score_text(const ScoredText& text, std::span<const Index> lengths, const ScoringOptions& options) {
  check(options);
  TextScores result;
  for (const std::string& name : options.metrics) {
    const auto metric = make_metric(name, options.settings);
    const std::vector<Counts> sentences = sentence_counts(*metric, text, options.poll);
    const Counts sums = sum_of(sentences);
    if (result.scores.empty()) result.by_length = by_length(*metric, sentences, lengths, options.length_bounds);
    TextScore scored{metric->name(), metric->score(sums), signature(*metric, text.references), metric->details(sums)};
    if (options.confidence) {
      const Bootstrap bootstrap(*options.confidence);
      scored.signature = signature(*metric, text.references, bootstrap.settings());
      scored.confidence = confidence(bootstrap.scores(*metric, sentences, options.poll));
    }
    result.scores.push_back(std::move(scored));
  }
  return result;
}

}  // namespace dhyan
