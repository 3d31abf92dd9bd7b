#pragma once

#include <array>
#include <cstdint>

#include "data/filters.h"

namespace dhyan {

// Histogram of sentence lengths of one side.
struct SideStatistics {
  // Upper bounds of the buckets, in words; the last count is of all longer sentences.
  static constexpr std::array<Index, 11> kBounds{0, 5, 10, 15, 20, 30, 40, 50, 75, 100, 200};

  std::uint64_t words = 0;
  std::uint64_t characters = 0;
  Index longest = 0;  // words
  std::array<std::uint64_t, kBounds.size() + 1> histogram{};

  void add(const Measure& measured);
};

struct CorpusStatistics {
  std::uint64_t pairs = 0;
  SideStatistics source, target;

  void add(const Verdict& verdict);
};

}  // namespace dhyan
