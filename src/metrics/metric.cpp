#include "metrics/metric.h"

#include "core/error.h"
#include "core/version.h"

namespace dhyan {

std::vector<Counts> Metric::counts_of_text(const ScoredText& text, const std::function<void()>& poll) const {
  std::vector<Counts> sentences;
  sentences.reserve(text.hypotheses.size());
  for (std::size_t i = 0; i < text.hypotheses.size(); ++i) {
    if (poll) poll();
    sentences.push_back(counts(text.hypotheses[i], text.references[i]));
  }
  return sentences;
}

std::vector<Counts> sentence_counts(const Metric& metric, const ScoredText& text, const std::function<void()>& poll) {
  if (text.hypotheses.size() != text.references.size()) {
    throw UsageError(cat(metric.name(), ": ", text.hypotheses.size(), " translations and references for ",
                         text.references.size(), "; expected references for each"));
  }
  for (std::size_t i = 0; i < text.references.size(); ++i) {
    if (text.references[i].empty()) throw UsageError(cat(metric.name(), ": sentence ", i + 1, " has no reference"));
  }
  return metric.counts_of_text(text, poll);
}

Counts sum_of(std::span<const Counts> sentences) {
  if (sentences.empty()) throw UsageError("sum_of: no sentence; a score needs at least one");
  Counts sums(sentences.front().size(), 0);
  for (const Counts& sentence : sentences) {
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += sentence[i];
  }
  return sums;
}

std::string signature(const Metric& metric, std::span<const std::vector<std::string>> references,
                      std::string_view besides) {
  const std::size_t count = references.empty() ? 0 : references.front().size();
  bool varies = false;
  for (const std::vector<std::string>& of_sentence : references) varies |= of_sentence.size() != count;
  return cat("nrefs:", varies ? "var" : cat(count), "|", besides, besides.empty() ? "" : "|", metric.settings(),
             "|version:dhyan-", version());
}

}  // namespace dhyan
