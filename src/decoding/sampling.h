#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/rng.h"
#include "decoding/search.h"

namespace dhyan {

// How the next word is drawn.
struct SamplingOptions {
  double temperature = 1;            // divides log p: below 1 prefers likely words; 0: the likeliest word
  Index top_k = 0;                   // draw from this many likeliest words; 0: all
  double top_p = 1;                  // draw from the smallest set with this total probability ([holtzman2020])
  Index max_length = 200;            // tokens
  std::optional<TokenId> last = {};  // a sequence ends with this token
  bool allow_unknown = false;        // sample() may draw <unk>; sample_translations() takes it from SearchOptions
  std::span<const TokenId> never_drawn = {};  // tokens allowed in a prefix only; must outlive the sampling
  RecordedAttention keep = RecordedAttention::kNothing;
  std::function<void()> poll = {};  // called for every token; may throw to stop
  // Called after every token with all tokens drawn so far; for use with a single sequence.
  std::function<void(std::span<const TokenId> tokens)> drawn = {};
};

// Throws UsageError for values out of range.
void check(const SamplingOptions& options);

// One continuation of each sequence, each with its own rng. `first` is the input of the first step.
std::vector<Hypothesis> sample(Decoding& decoding, std::span<const TokenId> first, std::span<const Rng> rngs,
                               const SamplingOptions& options);

// Samples n_best translations of each sentence with the rngs `streams[b].split(i)` for i from 0, sorted by score, ties
// in the order they were drawn. SearchOptions sets the lengths, the rules for words, the normalisation and what is
// recorded. A cancelled sentence has no translations. UsageError for required phrases.
std::vector<std::vector<Hypothesis>> sample_translations(Decoding& decoding, std::span<const SearchTask> tasks,
                                                         std::span<const Rng> streams, const SamplingOptions& options,
                                                         const SearchOptions& search);

// Draws one word from the log probabilities of all words; words at -inf are never drawn.
TokenId draw(std::span<const double> log_probabilities, const SamplingOptions& options, Rng& rng);

}  // namespace dhyan
