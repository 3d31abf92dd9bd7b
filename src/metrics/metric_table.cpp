#include "metrics/metric_table.h"

#include <array>

#include "core/table.h"
#include "metrics/cider_d.h"
#include "metrics/coco_bleu.h"
#include "metrics/rouge_l.h"

namespace dhyan {

namespace {

template <Index order>
std::unique_ptr<Metric> coco_bleu(const MetricOptions& options) {
  return std::make_unique<CocoBleu>(order, options.caption);
}

constexpr std::array<MetricEntry, 10> kMetrics{{
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
    {"coco-bleu1", "BLEU-1 of captions as pycocoevalcap computes it: words", coco_bleu<1>},
    {"coco-bleu2", "the same with n-grams of up to 2 words", coco_bleu<2>},
    {"coco-bleu3", "the same with n-grams of up to 3 words", coco_bleu<3>},
    {"coco-bleu4", "the same with n-grams of up to 4 words", coco_bleu<4>},
    {"rouge-l", "longest common subsequence of captions, as pycocoevalcap computes it",
     [](const MetricOptions& options) -> std::unique_ptr<Metric> { return std::make_unique<RougeL>(options.caption); }},
    {"cider-d", "similarity of captions by tf-idf of n-grams, as pycocoevalcap computes it, times 100",
     [](const MetricOptions& options) -> std::unique_ptr<Metric> { return std::make_unique<CiderD>(options.caption); }},
}};

}  // namespace

std::span<const MetricEntry> metrics() { return kMetrics; }

std::unique_ptr<Metric> make_metric(std::string_view name, const MetricOptions& options) {
  return entry_named("metric", metrics(), name).make(options);
}

}  // namespace dhyan
