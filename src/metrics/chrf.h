#pragma once

#include "metrics/metric.h"

namespace dhyan {

struct ChrfOptions {
  Index character_order = 6;  // longest n-grams, in characters
  Index word_order = 0;       // longest n-grams, in words; 2 is chrF++
  Index beta = 2;             // weight of recall relative to precision
  bool lowercase = false;
  bool whitespace = false;  // count blanks as characters
  bool epsilon = false;     // average F-scores over all orders, as chrF++.py and NLTK do
};

// The F-score of character n-grams ([popovic2015]) as sacreBLEU computes it.
class Chrf final : public Metric {
 public:
  explicit Chrf(const ChrfOptions& options = {});  // ConfigError for an order below 0, both 0, or a beta below 1

  std::string name() const override;
  std::string settings() const override;
  // Uses the reference with the best score.
  Counts counts(std::string_view hypothesis, std::span<const std::string> references) const override;
  double score(const Counts& sums) const override;

 private:
  ChrfOptions options_;
};

}  // namespace dhyan
