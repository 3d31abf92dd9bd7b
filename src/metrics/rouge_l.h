#pragma once

#include "metrics/caption_words.h"
#include "metrics/metric.h"

namespace dhyan {

// ROUGE-L of captions ([lin2004]) as pycocoevalcap computes it: the mean over captions of an F-score of the longest
// common subsequence. Precision and recall are each the best over the references.
class RougeL final : public Metric {
 public:
  explicit RougeL(const CaptionOptions& options = {}) : options_(options) {}

  std::string name() const override { return "ROUGE-L"; }
  std::string settings() const override;
  Counts counts(std::string_view hypothesis, std::span<const std::string> references) const override;
  double score(const Counts& sums) const override;  // 0 to 100

 private:
  CaptionOptions options_;
};

}  // namespace dhyan
