#pragma once

#include "metrics/bleu_counts.h"
#include "metrics/caption_words.h"

namespace dhyan {

// BLEU-n of captions ([papineni2002]) as pycocoevalcap computes it. It differs from Bleu, which is sacreBLEU's: words
// are those of caption_words, any largest order from 1 to 4 can be chosen, and instead of smoothing, tiny constants
// keep the logarithms finite.
class CocoBleu final : public Metric {
 public:
  explicit CocoBleu(Index order, const CaptionOptions& options = {});  // ConfigError unless the order is 1 to 4

  std::string name() const override;  // "COCO BLEU-4"
  std::string settings() const override;
  Counts counts(std::string_view hypothesis, std::span<const std::string> references) const override;
  double score(const Counts& sums) const override;  // 0 to 100

 private:
  Index order_;
  CaptionOptions options_;
};

}  // namespace dhyan
