#pragma once

#include <span>
#include <vector>

#include "metrics/words.h"

namespace dhyan {

// The n-grams of one order in a sentence with their counts. Refers to the sentence, which must outlive it.
class NgramCounts {
 public:
  NgramCounts(std::span<const char32_t> sentence, Index order);

  struct Entry {
    std::span<const char32_t> ngram;
    Index count;
  };
  std::span<const Entry> entries() const { return entries_; }  // each n-gram once, ascending

  bool empty() const { return entries_.empty(); }

  // The number of n-grams, with repetitions.
  Index total() const;

  // Clipped matches: each n-gram counts at most as often as in `reference` ([papineni2002] 2.1.1).
  Index matches(const NgramCounts& reference) const;

  // Keeps the larger count of each n-gram, to merge several references.
  void merge(const NgramCounts& other);

 private:
  std::vector<Entry> entries_;  // ascending
};

}  // namespace dhyan
