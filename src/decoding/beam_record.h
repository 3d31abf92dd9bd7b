#pragma once

#include <vector>

#include "text/tokenizer.h"

namespace dhyan {

// The tree of words that the search for one sentence tried.
struct BeamNode {
  enum class Fate {
    kKept,    // stayed live
    kPruned,  // others were better
    kEnded,   // with </s>
  };

  Index parent = -1;  // among the nodes, before this one; below 0 for the first word
  Index step = 0;     // from 1
  TokenId token = 0;
  Fate fate = Fate::kKept;
  double token_score = 0;      // log p of the word
  double log_probability = 0;  // of all words up to here
  double score = 0;            // score among finished hypotheses if it ended here
};

struct BeamRecord {
  std::vector<BeamNode> nodes;
  std::vector<Index> best;  // last nodes of the returned hypotheses, best first
};

}  // namespace dhyan
