#pragma once

#include <cstdint>
#include <vector>

#include "core/real.h"

namespace dhyan {

// Pairs [first, last) of a corpus, read together.
struct Run {
  std::size_t corpus = 0;
  std::uint64_t pass = 0;  // how often the corpus was gone through before; counts on over epochs
  Index first = 0;
  Index last = 0;

  friend bool operator==(const Run&, const Run&) = default;
};

// The order of training: which pairs of which corpora make up which part of which epoch. A pure function of the seed;
// any part can be computed alone.
//
// A corpus is a sequence of passes, each an order of its own of all its runs. An epoch takes the next `weight` passes
// of each corpus: with weight 1 every pair once, with weight 2 twice, with weight 0.5 half of them and in the next
// epoch the other half. An epoch is cut into pools that hold the same mixture each, of about pool_tokens tokens.
class Mixture {
 public:
  struct Corpus {
    Index pairs = 0;
    Index tokens = 0;  // of both sides
    double weight = 1;
    Index run = 1;  // pairs that stay together: read from one place, for speed, or in their order, for text
  };

  Mixture(std::vector<Corpus> corpora, Index pool_tokens);

  Index pools(std::uint64_t epoch) const;
  std::vector<Run> runs(std::uint64_t seed, std::uint64_t epoch, Index pool) const;

 private:
  std::uint64_t runs_of(const Corpus& corpus) const;
  // Runs of all passes, one after the other, that come before an epoch.
  std::uint64_t before(const Corpus& corpus, std::uint64_t epoch) const;

  std::vector<Corpus> corpora_;
  Index pool_tokens_;
};

// How many sentence pairs to keep together: one, as long as an order of so many places is quick to read, and at most a
// block of the cache. Reading one pair from a place of its own takes 6 us, each of eight 2 us, each of 64 1 us
// (script/bench data), so that millions of pairs are read in runs of 8, and a pool of them is one sweep over the file.
Index pairs_of_a_run(Index pairs);

}  // namespace dhyan
