#include "metrics/bleu_counts.h"

#include <cstdlib>

#include "metrics/ngrams.h"

namespace dhyan {

namespace {

Index closest_length(Index length, std::span<const Symbols> references) {
  Index closest = -1;
  for (const Symbols& reference : references) {
    const auto other = static_cast<Index>(reference.size());
    const Index nearer = std::abs(other - length) - std::abs(closest - length);
    if (closest < 0 || nearer < 0 || (nearer == 0 && other < closest)) closest = other;
  }
  return closest;
}

}  // namespace

Counts bleu_counts(std::string_view hypothesis, std::span<const std::string> references,
                   FunctionRef<std::u32string(std::string_view)> words) {
  std::vector<std::u32string> texts;
  for (const std::string& reference : references) texts.push_back(words(reference));
  texts.push_back(words(hypothesis));
  WordNumbers numbers;
  std::vector<Symbols> sentences;
  for (const std::u32string& text : texts) sentences.push_back(numbers(split_words(text)));
  const Symbols& translation = sentences.back();
  const auto accepted = std::span(sentences).first(references.size());

  Counts counts(kBleuTotals + kBleuOrders, 0);
  const auto length = static_cast<Index>(translation.size());
  counts[kBleuHypothesisLength] = static_cast<double>(length);
  counts[kBleuReferenceLength] = static_cast<double>(closest_length(length, accepted));
  for (std::size_t n = 0; n < kBleuOrders; ++n) {
    const auto order = static_cast<Index>(n) + 1;
    NgramCounts wanted(accepted.front(), order);
    for (const Symbols& reference : accepted.subspan(1)) wanted.merge(NgramCounts(reference, order));
    const NgramCounts found(translation, order);
    counts[kBleuMatches + n] = static_cast<double>(found.matches(wanted));
    counts[kBleuTotals + n] = static_cast<double>(found.total());
  }
  return counts;
}

}  // namespace dhyan
