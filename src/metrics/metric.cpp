#include "metrics/metric.h"

#include <array>

#include "core/table.h"
#include "core/version.h"
#include "metrics/bleu.h"
#include "metrics/chrf.h"

namespace dhyan {

std::vector<Counts> sentence_counts(const Metric& metric, const ScoredText& text) {
  if (text.hypotheses.size() != text.references.size()) {
    throw UsageError(cat(metric.name(), ": ", text.hypotheses.size(), " translations and references for ",
                         text.references.size(), "; expected references for each"));
  }
  std::vector<Counts> sentences;
  sentences.reserve(text.hypotheses.size());
  for (std::size_t i = 0; i < text.hypotheses.size(); ++i) {
    if (text.references[i].empty()) throw UsageError(cat(metric.name(), ": sentence ", i + 1, " has no reference"));
    sentences.push_back(metric.counts(text.hypotheses[i], text.references[i]));
  }
  return sentences;
}

Counts sum_of(std::span<const Counts> sentences) {
  if (sentences.empty()) throw UsageError("sum_of: no sentence; a score needs at least one");
  Counts sums(sentences.front().size(), 0);
  for (const Counts& sentence : sentences) {
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += sentence[i];
  }
  return sums;
}

std::string signature(const Metric& metric, std::span<const std::vector<std::string>> references) {
  const std::size_t count = references.empty() ? 0 : references.front().size();
  bool varies = false;
  for (const std::vector<std::string>& of_sentence : references) varies |= of_sentence.size() != count;
  return cat("nrefs:", varies ? "var" : cat(count), "|", metric.settings(), "|version:dhyan-", version());
}

namespace {

constexpr std::array<MetricEntry, 3> kMetrics{{
    {"bleu", "n-grams of words that are right, and a penalty for short translations",
     [](const MetricOptions& options) -> std::unique_ptr<Metric> {
       return std::make_unique<Bleu>(BleuOptions{.tokenizer = options.tokenizer, .lowercase = options.lowercase});
     }},
    {"chrf", "precision and recall of n-grams of characters",
     [](const MetricOptions& options) -> std::unique_ptr<Metric> {
       return std::make_unique<Chrf>(ChrfOptions{.lowercase = options.lowercase});
     }},
    {"chrf++", "the same with words and pairs of words",
     [](const MetricOptions& options) -> std::unique_ptr<Metric> {
       return std::make_unique<Chrf>(ChrfOptions{.word_order = 2, .lowercase = options.lowercase});
     }},
}};

}  // namespace

std::span<const MetricEntry> metrics() { return kMetrics; }

std::unique_ptr<Metric> make_metric(std::string_view name, const MetricOptions& options) {
  return entry_named("metric", metrics(), name).make(options);
}

}  // namespace dhyan
