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
  std::optional<Confidence> confidence = {};  // if it was asked for
};

struct ScoringOptions {
  std::vector<std::string> metrics = {"bleu", "chrf"};  // in the table of metrics()
  MetricOptions settings = {};
  std::optional<BootstrapOptions> confidence = {};
  std::vector<Index> length_bounds = {10, 20, 30, 40, 50};
  std::function<void()> poll = {};  // called for every sentence and sample; may throw, to stop
};

struct TextScores {
  std::vector<TextScore> scores;  // one for each metric, in the order asked for
  std::vector<Bucket> by_length;  // by the first of them
};

// Throws for what no text can be scored with, before one is made: ConfigError of a metric, UsageError of the rest.
void check(const ScoringOptions& options);

// Translations against references. `lengths` are the sentences' own, usually of their source; at least one sentence,
// else UsageError.
TextScores score_text(const ScoredText& text, std::span<const Index> lengths, const ScoringOptions& options);

}  // namespace dhyan
