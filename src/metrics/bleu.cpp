#include "metrics/bleu.h"

#include <cmath>
#include <cstdio>

#include "core/table.h"
#include "metrics/words.h"
#include "text/lowercase.h"
#include "text/unicode.h"

namespace dhyan {

namespace {

constexpr std::array<SmoothingEntry, 4> kSmoothings{{
    {"exp", "counts 1/2, 1/4, ... of a match for each order without one", Smoothing::kExp, {}},
    {"none", "no smoothing: an order without a match makes the score 0", Smoothing::kNone, {}},
    {"floor", "counts a small constant instead of no match", Smoothing::kFloor, 0.1},
    {"add-k", "adds k to the matches of each order above 1", Smoothing::kAddK, 1.0},
}};

// Percent, by order; 0 for orders longer than the text. `longest` becomes the largest order of the text.
std::array<double, kBleuOrders> smoothed_precisions(const Counts& sums, Smoothing smoothing, double value,
                                                    Index& longest) {
  std::array<double, kBleuOrders> precisions{};
  double halvings = 1;
  for (std::size_t n = 0; n < kBleuOrders; ++n) {
    const double added = smoothing == Smoothing::kAddK && n > 0 ? value : 0;
    const double matches = sums[kBleuMatches + n] + added, total = sums[kBleuTotals + n] + added;
    if (total == 0) break;
    longest = static_cast<Index>(n) + 1;
    if (matches > 0) {
      precisions[n] = 100 * matches / total;
    } else if (smoothing == Smoothing::kExp) {
      halvings *= 2;
      precisions[n] = 100 / (halvings * total);
    } else if (smoothing == Smoothing::kFloor) {
      precisions[n] = 100 * value / total;
    }
  }
  return precisions;
}

template <class... Values>
std::string formatted(const char* format, Values... values) {
  std::array<char, 128> text;
  std::snprintf(text.data(), text.size(), format, values...);
  return text.data();
}

}  // namespace

std::span<const SmoothingEntry> smoothings() { return kSmoothings; }

Bleu::Bleu(const BleuOptions& options)
    : options_(options),
      tokenizer_(bleu_tokenizer(options.tokenizer)),
      smoothing_(entry_named("smoothing", smoothings(), options.smoothing)),
      value_(options.value.value_or(smoothing_.value.value_or(0))) {
  if (options.value && !smoothing_.value) {
    throw ConfigError(cat("BLEU: a value of ", *options.value, " for the smoothing ", smoothing_.name,
                          ", which has none; floor and add-k have one"));
  }
}

std::string Bleu::settings() const {
  const std::string value = smoothing_.value ? formatted("[%.2f]", value_) : "";
  return cat("case:", options_.lowercase ? "lc" : "mixed", "|eff:", options_.effective_order ? "yes" : "no",
             "|tok:", tokenizer_.name, "|smooth:", smoothing_.name, value);
}

std::u32string Bleu::tokenized(std::string_view line) const {
  std::u32string text = to_utf32(line);
  if (options_.lowercase) text = lowercase(text);
  return tokenizer_.separate(without_trailing_blanks(text));
}

Counts Bleu::counts(std::string_view hypothesis, std::span<const std::string> references) const {
  return bleu_counts(hypothesis, references, [&](std::string_view line) { return tokenized(line); });
}

// BLEU = BP exp(sum_n (log p_n) / N);   BP = min(1, exp(1 - r/c))   [papineni2002] 2.3
BleuScore Bleu::scored(const Counts& sums) const {
  const double length = sums[kBleuHypothesisLength], wanted = sums[kBleuReferenceLength];
  BleuScore result{.hypothesis_length = static_cast<Index>(length), .reference_length = static_cast<Index>(wanted)};
  if (length < wanted) result.brevity_penalty = length > 0 ? std::exp(1 - wanted / length) : 0;
  bool any_match = false;
  for (std::size_t n = 0; n < kBleuOrders; ++n) any_match |= sums[kBleuMatches + n] > 0;
  if (!any_match) return result;

  Index longest = 0;
  result.precisions = smoothed_precisions(sums, smoothing_.smoothing, value_, longest);
  const Index orders = options_.effective_order ? longest : kBleuOrder;
  double sum = 0;
  for (std::size_t n = 0; n < static_cast<std::size_t>(orders); ++n) {
    if (result.precisions[n] == 0) return result;
    sum += std::log(result.precisions[n]);
  }
  result.score = result.brevity_penalty * std::exp(sum / static_cast<double>(orders));
  return result;
}

std::string Bleu::details(const Counts& sums) const {
  const BleuScore result = scored(sums);
  const auto& [p1, p2, p3, p4] = result.precisions;
  const auto hypothesis = static_cast<double>(result.hypothesis_length);
  const auto reference = static_cast<double>(result.reference_length);
  return formatted("%.1f/%.1f/%.1f/%.1f (BP = %.3f ratio = %.3f hyp_len = %.0f ref_len = %.0f)", p1, p2, p3, p4,
                   result.brevity_penalty, reference > 0 ? hypothesis / reference : 0, hypothesis, reference);
}

}  // namespace dhyan
