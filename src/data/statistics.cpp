#include "data/statistics.h"

#include <algorithm>

namespace dhyan {

void SideStatistics::add(const Measure& measured) {
  words += static_cast<std::uint64_t>(measured.words);
  characters += static_cast<std::uint64_t>(measured.characters);
  longest = std::max(longest, measured.words);
  const auto* const bound = std::ranges::lower_bound(kBounds, measured.words);
  ++histogram[static_cast<std::size_t>(bound - kBounds.begin())];
}

void CorpusStatistics::add(const Verdict& verdict) {
  ++pairs;
  source.add(verdict.source);
  target.add(verdict.target);
}

}  // namespace dhyan
