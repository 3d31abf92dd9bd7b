#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "data/hash_set.h"
#include "data/pairs.h"
#include "text/corpus_part.h"

namespace dhyan {

struct SplitOptions {
  double dev = 0;  // below 1: share of all pairs; from 1: number of pairs
  double test = 0;
  std::uint64_t seed = 1;
};

// Assigns pairs to train, dev and test. Pairs with the same source, white space aside, are in the same part, so that
// training never sees a source of dev or test. A seeded hash of the text chooses the sources: neither the order of the
// lines nor the machine matters.
class CorpusSplit {
 public:
  // Reads the whole corpus; holds 8 bytes per pair. ConfigError if dev and test leave nothing to train on.
  CorpusSplit(PairSource& pairs, const SplitOptions& options);

  Part part_of(const SentencePair& pair);

  // The numbers of pairs; they may be smaller than requested because a source is never divided.
  std::uint64_t size(Part part) const { return sizes_[static_cast<std::size_t>(part)]; }

 private:
  std::uint64_t key_of(const SentencePair& pair);

  std::uint64_t seed_;
  std::array<std::uint64_t, 3> sizes_{};
  HashSet dev_, test_;
  std::string storage_;
};

}  // namespace dhyan
