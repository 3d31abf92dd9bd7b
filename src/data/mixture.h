#pragma once

#include <cstdint>
#include <vector>

#include "core/real.h"

namespace dhyan {

// Pairs [first, last) of a corpus, read together.
struct Run {
  std::size_t corpus = 0;
  std::uint64_t pass = 0;  // number of passes over the corpus before this one, over all epochs
  Index first = 0;
  Index last = 0;

  friend bool operator==(const Run&, const Run&) = default;
};

// The order of training: which pairs of which corpora are in which shuffle buffer of which epoch. A pure function of
// the seed; any buffer can be computed alone.
//
// A corpus is a sequence of passes; each pass orders all its runs differently. An epoch takes the next `weight` passes
// of each corpus: with weight 1 every pair once, with weight 2 twice, with weight 0.5 half of them and in the next
// epoch the other half. An epoch is split into buffers of about buffer_tokens tokens, each with the same mixture.
class Mixture {
 public:
  struct Corpus {
    Index pairs = 0;
    Index tokens = 0;  // of both sides
    double weight = 1;
    Index run = 1;  // consecutive pairs that stay together: faster to read; for text, they keep their order
  };

  Mixture(std::vector<Corpus> corpora, Index buffer_tokens);

  Index buffers(std::uint64_t epoch) const;
  std::vector<Run> runs(std::uint64_t seed, std::uint64_t epoch, Index buffer) const;

 private:
  std::uint64_t runs_of(const Corpus& corpus) const;
  // The number of runs, over all passes, that come before an epoch.
  std::uint64_t before(const Corpus& corpus, std::uint64_t epoch) const;

  std::vector<Corpus> corpora_;
  Index buffer_tokens_;
};

// How many consecutive pairs to keep together: one while the corpus is small enough to read in random order, at most a
// block of the cache. Reading a pair at a random offset takes 6 us, each of eight consecutive ones 2 us, each of 64 1
// us (script/bench data); so a corpus of millions of pairs is read in runs of 8, and a buffer in one pass over the
// file.
Index pairs_of_a_run(Index pairs);

}  // namespace dhyan
