#include "metrics/rouge_l.h"

#include <algorithm>

#include "core/error.h"
#include "metrics/words.h"

namespace dhyan {

namespace {

constexpr double kBeta = 1.2;  // weight of recall relative to precision

// The length of the longest common subsequence.
std::size_t common_subsequence(const Symbols& a, const Symbols& b) {
  std::vector<std::size_t> lengths(b.size() + 1, 0);  // between the words of a so far and the first j words of b
  for (const char32_t word : a) {
    std::size_t diagonal = 0;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t above = lengths[j + 1];
      lengths[j + 1] = word == b[j] ? diagonal + 1 : std::max(above, lengths[j]);
      diagonal = above;
    }
  }
  return lengths.back();
}

// A caption without words counts as one empty word, as in pycocoevalcap.
std::vector<std::u32string_view> words_or_empty_word(std::u32string_view text) {
  std::vector<std::u32string_view> words = split_words(text);
  if (words.empty()) words.emplace_back();
  return words;
}

}  // namespace

std::string RougeL::settings() const { return cat(caption_settings(options_), "|beta:", kBeta); }

// F = (1 + beta^2) P R / (R + beta^2 P)   [lin2004] eqs. 2-4
Counts RougeL::counts(std::string_view hypothesis, std::span<const std::string> references) const {
  std::vector<std::u32string> texts;
  for (const std::string& reference : references) texts.push_back(caption_words(reference, options_));
  texts.push_back(caption_words(hypothesis, options_));
  WordNumbers numbers;
  const Symbols caption = numbers(words_or_empty_word(texts.back()));
  double precision = 0, recall = 0;
  for (const std::u32string& text : std::span(texts).first(references.size())) {
    const Symbols reference = numbers(words_or_empty_word(text));
    const auto common = static_cast<double>(common_subsequence(caption, reference));
    precision = std::max(precision, common / static_cast<double>(caption.size()));
    recall = std::max(recall, common / static_cast<double>(reference.size()));
  }
  if (precision == 0) return {0, 1};
  return {(1 + kBeta * kBeta) * precision * recall / (recall + kBeta * kBeta * precision), 1};
}

double RougeL::score(const Counts& sums) const { return 100 * sums[0] / sums[1]; }

}  // namespace dhyan
