#include "metrics/coco_bleu.h"

#include <cmath>

#include "core/error.h"

namespace dhyan {

CocoBleu::CocoBleu(Index order, const CaptionOptions& options) : order_(order), options_(options) {
  if (order < 1 || order > kBleuOrder) {
    throw ConfigError(cat("COCO BLEU: n-grams of ", order, " words; expected 1 to ", kBleuOrder));
  }
}

std::string CocoBleu::name() const { return cat("COCO BLEU-", order_); }

std::string CocoBleu::settings() const { return caption_settings(options_); }

Counts CocoBleu::counts(std::string_view hypothesis, std::span<const std::string> references) const {
  return bleu_counts(hypothesis, references, [&](std::string_view line) { return caption_words(line, options_); });
}

// BLEU = BP prod_n p_n^(1/N);   BP = min(1, exp(1 - r/c));   p_n = (matches + 1e-15) / (total + 1e-9)
double CocoBleu::score(const Counts& sums) const {
  constexpr double kTiny = 1e-15, kSmall = 1e-9;
  double product = 1;
  for (std::size_t n = 0; n < static_cast<std::size_t>(order_); ++n) {
    product *= (sums[kBleuMatches + n] + kTiny) / (sums[kBleuTotals + n] + kSmall);
  }
  const double ratio = (sums[kBleuHypothesisLength] + kTiny) / (sums[kBleuReferenceLength] + kSmall);
  const double brevity_penalty = ratio < 1 ? std::exp(1 - 1 / ratio) : 1;
  return 100 * brevity_penalty * std::pow(product, 1 / static_cast<double>(order_));
}

}  // namespace dhyan
