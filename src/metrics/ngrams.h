#pragma once

#include <span>
#include <vector>

#include "metrics/words.h"

namespace dhyan {

// The n-grams of one order in a sentence, each with how often it stands there. Looks into the sentence, which must
// outlive it.
class NgramCounts {
 public:
  NgramCounts(std::span<const char32_t> sentence, Index order);

  bool empty() const { return entries_.empty(); }

  // How many there are, repetitions counted.
  Index total() const;

  // How many of them `reference` has as well, each counted at most as often as it stands there ([papineni2002] 2.1.1).
  Index matches(const NgramCounts& reference) const;

  // Of each n-gram the greater of both counts: what several references have.
  void merge(const NgramCounts& other);

 private:
  struct Entry {
    std::span<const char32_t> ngram;
    Index count;
  };

  std::vector<Entry> entries_;  // ascending
};

}  // namespace dhyan
