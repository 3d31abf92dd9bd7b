#pragma once

#include <functional>
#include <optional>

#include "metrics/bootstrap.h"
#include "metrics/buckets.h"
#include "metrics/metric_table.h"

namespace dhyan {

struct TextScore {
  std::string name;
  double score = 0;
  std::string signature;
  std::string details;                        // may be empty
  std::optional<Confidence> confidence = {};  // if requested
};

struct ScoringOptions {
  std::vector<std::string> metrics = {"bleu", "chrf"};  // in the table of metrics()
  MetricOptions settings = {};
  std::optional<BootstrapOptions> confidence = {};
  std::vector<Index> length_bounds = {10, 20, 30, 40, 50};
  std::function<void()> poll = {};  // called for every sentence and sample; may throw to stop
};

struct TextScores {
  std::vector<TextScore> scores;  // one per metric, in the order of the options
  std::vector<Bucket> by_length;  // by the first metric
};

// Checks the options before any text is translated: ConfigError from a metric, UsageError otherwise.
void check(const ScoringOptions& options);

// Scores translations against references. `lengths` are sentence lengths, usually of the source. UsageError without a
// sentence.
TextScores score_text(const ScoredText& text, std::span<const Index> lengths, const ScoringOptions& options);

}  // namespace dhyan
