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
  double dev = 0;  // below 1: the share of all pairs; from 1: how many
  double test = 0;
  std::uint64_t seed = 1;
};

// Which part of a corpus a pair belongs to. Pairs of one source (white space apart) are in one part, so that nothing
// in dev or test was seen in training. Which sources those are is drawn by a seeded hash of the text: neither the
// order of the lines nor the machine matters.
class CorpusSplit {
 public:
  // Reads all of the corpus; 8 bytes a pair are held. ConfigError if the parts asked for leave nothing to train on.
  CorpusSplit(PairSource& pairs, const SplitOptions& options);

  Part part_of(const SentencePair& pair);

  // Of all the pairs; as asked for, unless sources that occur often leave gaps that none fits.
  std::uint64_t size(Part part) const { return sizes_[static_cast<std::size_t>(part)]; }

 private:
  std::uint64_t key_of(const SentencePair& pair);

  std::uint64_t seed_;
  std::array<std::uint64_t, 3> sizes_{};
  HashSet dev_, test_;
  std::string storage_;
};

}  // namespace dhyan
