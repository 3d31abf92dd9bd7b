#include "metrics/metric_table.h"

#include <array>

#include "core/table.h"

namespace dhyan {

namespace {

constexpr std::array<MetricEntry, 4> kMetrics{{
    {"bleu", "precision of word n-grams, with a penalty for short translations",
     [](const MetricOptions& options) -> std::unique_ptr<Metric> { return std::make_unique<Bleu>(options.bleu); }},
    {"chrf", "precision and recall of character n-grams",
     [](const MetricOptions& options) -> std::unique_ptr<Metric> { return std::make_unique<Chrf>(options.chrf); }},
    {"chrf++", "chrF with word unigrams and bigrams",
     [](const MetricOptions& options) -> std::unique_ptr<Metric> {
       ChrfOptions with_words = options.chrf;
       with_words.word_order = 2;
       return std::make_unique<Chrf>(with_words);
     }},
    {"ter", "edits and shifts per reference word; lower is better",
     [](const MetricOptions& options) -> std::unique_ptr<Metric> { return std::make_unique<Ter>(options.ter); }},
}};

}  // namespace

std::span<const MetricEntry> metrics() { return kMetrics; }

std::unique_ptr<Metric> make_metric(std::string_view name, const MetricOptions& options) {
  return entry_named("metric", metrics(), name).make(options);
}

}  // namespace dhyan
