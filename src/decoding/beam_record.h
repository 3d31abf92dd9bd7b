#pragma once

#include <vector>

#include "text/tokenizer.h"

namespace dhyan {

// How a search for one sentence went: a tree of the words that were tried.
struct BeamNode {
  enum class Fate {
    kKept,    // lived on
    kPruned,  // others were better
    kEnded,   // with </s>
  };

  Index parent = -1;  // among the nodes, before this one; below 0 for the first word
  Index step = 0;     // from 1
  TokenId token = 0;
  Fate fate = Fate::kKept;
  double token_score = 0;      // log p of the word
  double log_probability = 0;  // of all words up to here
  double score = 0;            // were it to end here: what finished ones are ranked by
};

struct BeamRecord {
  std::vector<BeamNode> nodes;
  std::vector<Index> best;  // where the hypotheses that were returned end, best first
};

}  // namespace dhyan
