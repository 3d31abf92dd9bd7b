#pragma once

#include "metrics/text_scores.h"

namespace dhyan {

struct SystemText {
  std::string name;
  std::vector<std::string> hypotheses;
};

struct SystemScore {
  double score = 0;
  Confidence confidence = {};
  std::optional<double> p_value = {};  // of the difference to the first system; empty for the first
};

struct ComparedMetric {
  std::string name;
  std::string signature;
  bool lower_is_better = false;
  std::vector<SystemScore> systems;
};

// The scores of all systems on one sentence.
struct ComparedSentence {
  std::size_t number = 0;  // from 0
  std::vector<double> scores;
};

struct ComparisonOptions {
  ScoringOptions scoring = {};
  BootstrapOptions bootstrap = {};
  std::size_t sentences = 5;  // number of most different sentences to report
};

struct Comparison {
  std::vector<ComparedMetric> metrics;         // in the order asked for
  std::vector<std::vector<Bucket>> by_length;  // of each system, by the first metric
  // By the first metric on single sentences, BLEU with the effective order; without sentences of equal scores.
  std::vector<ComparedSentence> differing;
};

// Compares the first system with each other one by paired bootstrap resampling ([koehn2004]).
// UsageError for fewer than two systems, or as score_text.
Comparison compare_texts(std::span<const SystemText> systems, std::span<const std::vector<std::string>> references,
                         std::span<const Index> lengths, const ComparisonOptions& options);

}  // namespace dhyan
