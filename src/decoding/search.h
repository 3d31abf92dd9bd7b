#pragma once

#include <span>
#include <vector>

#include "decoding/hypothesis.h"
#include "models/decoder.h"

namespace dhyan {

// Of attention: nothing; the weights on the source; all places, with energies, contexts and the best words.
enum class Keep { kNothing, kWeights, kSteps };

// When to end the search for a sentence that has beam_size finished hypotheses: once no live one
enum class Stopping {
  kLikely,   // would be better than the worst of them, were it to end as it stands
  kCertain,  // can become better than the worst of them within the greatest length
};

struct SearchOptions {
  Index beam_size = 5;          // 1 is greedy
  Index n_best = 1;             // hypotheses returned for each sentence, at most beam_size
  double length_penalty = 1;    // score = log p / length^penalty; 0: log p itself
  Index max_length = 256;       // tokens of a translation, </s> included, whatever the source; at least 1
  double max_length_ratio = 3;  // and at most so many times the source's length plus 10
  Keep keep = Keep::kNothing;
  Index candidates = 5;  // best words kept of each step, with Keep::kSteps
  Stopping stopping = Stopping::kLikely;
};

// Throws UsageError for what no search can be done with.
void check(const SearchOptions& options);

// The best translations of each sentence, best first: the finished ones and, where fewer than n_best ended within the
// greatest length, behind them those cut there. At least one. What one sentence gives does not depend on the others.
std::vector<std::vector<Hypothesis>> search(Decoding& decoding, std::span<const Index> source_lengths,
                                            const SearchOptions& options);

// The given targets (ending with </s> as they were trained), one for each sentence, as the model scores them. Their
// length is not limited.
std::vector<Hypothesis> force(Decoding& decoding, std::span<const std::vector<TokenId>> targets,
                              const SearchOptions& options);

}  // namespace dhyan
