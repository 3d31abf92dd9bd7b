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
  std::optional<double> p_value = {};  // of its difference to the first system, which has none
};

struct ComparedMetric {
  std::string name;
  std::string signature;
  bool lower_is_better = false;
  std::vector<SystemScore> systems;
};

// A sentence, and how each system did with it.
struct ComparedSentence {
  std::size_t number = 0;  // from 0
  std::vector<double> scores;
};

struct ComparisonOptions {
  ScoringOptions scoring = {};
  BootstrapOptions bootstrap = {};
  std::size_t sentences = 5;  // that differ most, to name
};

struct Comparison {
  std::vector<ComparedMetric> metrics;         // in the order asked for
  std::vector<std::vector<Bucket>> by_length;  // of each system, by the first metric
  // By the first metric on single sentences, BLEU with the effective order; those that score alike are not in it.
  std::vector<ComparedSentence> differing;
};

// Systems on the same sentences: the first against each of the others by paired bootstrap resampling ([koehn2004]).
// UsageError for less than two systems, or what score_text refuses.
Comparison compare_texts(std::span<const SystemText> systems, std::span<const std::vector<std::string>> references,
                         std::span<const Index> lengths, const ComparisonOptions& options);

}  // namespace dhyan
