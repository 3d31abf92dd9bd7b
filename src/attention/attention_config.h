#pragma once

#include "attention/scores.h"
#include "attention/windows.h"

namespace dhyan {

// The tables of a configuration's names: the built-in ones, or longer ones of the caller.
struct AttentionTables {
  std::span<const ScoreEntry> scores = dhyan::scores();
  std::span<const WindowEntry> windows = dhyan::windows();
};

struct AttentionConfig {
  std::string score = "additive";  // in the table of scores
  std::string window = "global";   // in the table of windows
  Index heads = 1;
  Index hidden = 0;         // A, of the scores that have a layer of their own; 0: as wide as the query
  Index radius = 10;        // D, of the local windows
  Index longest = 256;      // positions the location score knows
  double dropout = 0;       // of weights, in training
  bool inner_norm = false;  // layer norm of what the score additive adds up
  bool causal = false;      // with any window: no key after the query's own position
  AttentionKernel kernel = AttentionKernel::kByQueryCount;  // without a tape; a decoder's is batch-invariant
  AttentionTables tables = {};
};

// The same for a decoder: a word has the same bytes in a search, whatever the beam size, and in teacher forcing.
AttentionConfig batch_invariant(AttentionConfig config);

// Throws ConfigError for a name that is in no table, or a value that fits no sizes.
void check(const AttentionConfig& config);

}  // namespace dhyan
