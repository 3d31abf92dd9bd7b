#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/rng.h"
#include "decoding/search.h"

namespace dhyan {

// From which words the next one is drawn, and how.
struct SamplingOptions {
  double temperature = 1;  // log p is divided by it: below 1 the likely becomes likelier; 0: the likeliest word
  Index top_k = 0;         // only so many of the likeliest; 0: all
  double top_p = 1;        // only the likeliest that together have so much probability ([holtzman2020])
  Index max_length = 200;  // tokens
  std::optional<TokenId> last = {};  // a sequence ends with it, if it comes
  bool allow_unknown = false;        // <unk> may be drawn, by sample(); sample_translations() does as search says
  std::span<const TokenId> never_drawn =
      {};  // nor are these of the vocabulary, but in a prefix; they must live as long
  Keep keep = Keep::kNothing;
  std::function<void()> poll = {};  // called for every token; may throw, to stop
};

// Throws UsageError for what nothing can be drawn with.
void check(const SamplingOptions& options);

// One continuation of each sequence, by random numbers of its own. `first` is what the first step is given.
std::vector<Hypothesis> sample(Decoding& decoding, std::span<const TokenId> first, std::span<const Rng> rngs,
                               const SamplingOptions& options);

// Translations drawn instead of searched for: n_best of each sentence, drawn by the random numbers
// `streams[b].split(i)` for i from 0, sorted by score, equal ones in the order they were drawn. Lengths, rules for
// words, normalisation and what is kept are those of search; nothing can be required (UsageError).
std::vector<std::vector<Hypothesis>> sample_translations(Decoding& decoding, std::span<const SearchTask> tasks,
                                                         std::span<const Rng> streams, const SamplingOptions& options,
                                                         const SearchOptions& search);

// One word, of log probabilities by word; words that are -inf are never drawn.
TokenId draw(std::span<const double> log_probabilities, const SamplingOptions& options, Rng& rng);

}  // namespace dhyan
