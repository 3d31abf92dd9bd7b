#pragma once

#include "metrics/caption_words.h"
#include "metrics/metric.h"

namespace dhyan {

// CIDEr-D of captions ([vedantam2015]) as pycocoevalcap computes it under the name CIDEr, times 100, as papers report
// it: the mean similarity of a caption and each of its references, as tf-idf vectors of n-grams of 1 to 4 words. 1000
// is the score of a caption that equals its only reference.
//
// Document frequencies come from the references of the text that is scored, a document being all references of a
// picture. A part of the text or a bootstrap sample is scored with the frequencies of the whole. An n-gram that every
// picture has weighs nothing, so that a picture alone scores 0.
class CiderD final : public Metric {
 public:
  explicit CiderD(const CaptionOptions& options = {}) : options_(options) {}

  std::string name() const override { return "CIDEr-D"; }
  std::string settings() const override;
  Counts counts(std::string_view hypothesis, std::span<const std::string> references) const override;
  std::vector<Counts> counts_of_text(const ScoredText& text, const std::function<void()>& poll) const override;
  double score(const Counts& sums) const override;

 private:
  CaptionOptions options_;
};

}  // namespace dhyan
