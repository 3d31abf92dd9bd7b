#pragma once

#include "core/function_ref.h"
#include "metrics/metric.h"

namespace dhyan {

inline constexpr Index kBleuOrder = 4;  // longest n-grams, in words

// The counts of a sentence that every BLEU is computed from: two lengths, then matches and totals by order.
inline constexpr auto kBleuOrders = static_cast<std::size_t>(kBleuOrder);
inline constexpr std::size_t kBleuHypothesisLength = 0, kBleuReferenceLength = 1, kBleuMatches = 2;
inline constexpr std::size_t kBleuTotals = kBleuMatches + kBleuOrders;

// `words` gives a line as words with blanks between them. The reference length is the one nearest to the hypothesis's,
// the shorter on a tie. An n-gram matches at most as often as in one reference ([papineni2002] 2.1.1).
Counts bleu_counts(std::string_view hypothesis, std::span<const std::string> references,
                   FunctionRef<std::u32string(std::string_view)> words);

}  // namespace dhyan
