#pragma once

#include <cstdint>
#include <vector>

#include "data/token_links.h"

namespace dhyan {

// A corpus whose pairs are drawn while training goes on, instead of read from a file. Every pass has other pairs.
// Immutable: any number of threads may draw.
class DrawnCorpus {
 public:
  virtual ~DrawnCorpus() = default;
  DrawnCorpus(const DrawnCorpus&) = delete;
  DrawnCorpus& operator=(const DrawnCorpus&) = delete;

  virtual Index pairs() const = 0;   // of a pass
  virtual Index tokens() const = 0;  // of a pass, both sides, approximately
  virtual std::uint64_t fingerprint() const = 0;

  struct Pair {
    std::vector<TokenId> source, target;  // without </s>
    std::vector<TokenLink> links;         // sorted by target; empty without alignments
  };

  // A pure function of pass and number.
  virtual void draw(std::uint64_t pass, Index number, Pair& pair) const = 0;

 protected:
  DrawnCorpus() = default;
};

}  // namespace dhyan
