#pragma once

#include <functional>

#include "decoding/hypothesis.h"
#include "models/model.h"

namespace dhyan {

enum class Keep { kNothing, kWeights, kSteps };  // of attention; kSteps: energies, contexts and best words as well

struct SearchOptions {
  Index beam_size = 5;          // 1 is greedy
  Index n_best = 1;             // hypotheses returned for each sentence, at most beam_size
  double length_penalty = 1;    // score = log p / length^penalty; 0: log p itself
  Index max_length = 256;       // tokens of a translation, </s> included, whatever the source; at least 1
  double max_length_ratio = 3;  // and at most so many times the source's length plus 10
  Keep keep = Keep::kNothing;
  Index candidates = 5;  // best words kept of each step, with Keep::kSteps
};

// The best translations of each sentence, best first. What one sentence gives does not depend on the others.
std::vector<std::vector<Hypothesis>> search(Decoding& decoding, std::span<const Index> source_lengths,
                                            const SearchOptions& options);

// The given targets (ending with </s> as they were trained), one for each sentence, as the model scores them.
std::vector<Hypothesis> force(Decoding& decoding, std::span<const std::vector<TokenId>> targets,
                              const SearchOptions& options);

}  // namespace dhyan
