#pragma once

#include <array>
#include <functional>
#include <span>
#include <vector>

#include "core/choice.h"
#include "decoding/beam_record.h"
#include "decoding/hypothesis.h"
#include "models/decoder.h"

namespace dhyan {

// Of attention: nothing; the weights on the source; all places, with energies, contexts and the best words.
enum class Keep { kNothing, kWeights, kSteps };

// When to end the search for a sentence that has enough finished hypotheses, patience times beam_size of them:
enum class Stopping {
  kFull,     // at once
  kLikely,   // when no live one would be better than the worst of them, were it to end as it stands
  kCertain,  // when no live one can become better than the worst of them within the greatest length
};
inline constexpr std::array kStoppings = {Choice{"full", Stopping::kFull}, Choice{"likely", Stopping::kLikely},
                                          Choice{"certain", Stopping::kCertain}};

using Phrase = std::vector<TokenId>;

struct SearchOptions {
  Index beam_size = 5;        // 1 is greedy
  Index n_best = 1;           // hypotheses returned for each sentence, at most beam_size
  double length_penalty = 1;  // score = log p / length^penalty; 0: log p itself
  LengthNorm length_norm = LengthNorm::kPlain;
  double coverage_penalty = 0;  // β of [wu2016] section 7; above 0 the model must have cross-attention
  Index min_length = 0;         // tokens before </s>
  Index max_length = 256;       // tokens of a translation, </s> included, whatever the source; at least 1
  double max_length_ratio = 3;  // and at most so many times the source's length plus 10, if min_length allows
  bool scored = true;           // false, with a beam of 1: only the words are asked for, and scores mean nothing
  Keep keep = Keep::kNothing;
  Index candidates = 5;  // best words kept of each step, with Keep::kSteps
  Stopping stopping = Stopping::kLikely;
  double patience = 1;        // [kasai2022]
  Index groups = 1;           // of beam_size / groups hypotheses, each steering clear of those before it
  double diversity = 0.5;     // λ of [vijayakumar2018]: a word costs so much for every group that has just taken it
  Index no_repeat_ngram = 0;  // so many tokens in a row never come twice; 0: they may
  std::vector<Phrase> forbidden = {};
  bool allow_unknown = false;  // <unk> may be written; log p is that of the model over all words either way
  Index record_pruned = -1;    // hypotheses given up that the record of a beam has of each step; below 0: no record
  std::function<void()> poll = {};  // called for every step; may throw, to stop
};

// A sentence to translate, and what its translation must be like.
struct SearchTask {
  Index source_length = 0;
  Phrase prefix = {};                               // it begins with this,
  std::span<const TokenId> not_behind_prefix = {};  // and goes on with none of these, ascending; they must live as long
  std::vector<Phrase> required = {};                // it has each of these somewhere, if the greatest length allows
  std::vector<std::span<const TokenId>> not_behind_required = {};  // followed by none of these; of each, or no list
  Phrase vocabulary = {};                                          // it has no other words, ascending; none for any
};

// Throws UsageError for what no search can be done with.
void check(const SearchOptions& options);

// The best translations of each sentence by score, those that were cut at the greatest length among them
// (Hypothesis::finished). At least one; of groups that found the same, perhaps fewer than n_best. What one sentence
// gives does not depend on the others.
std::vector<std::vector<Hypothesis>> search(Decoding& decoding, std::span<const Index> source_lengths,
                                            const SearchOptions& options);

struct Found {
  std::vector<Hypothesis> best;
  BeamRecord beam;  // if asked for
};
std::vector<Found> search_for(Decoding& decoding, std::span<const SearchTask> tasks, const SearchOptions& options);

// The given targets (ending with </s> as they were trained), one for each sentence, as the model scores them. Their
// length is not limited, and no word is forbidden or required.
std::vector<Hypothesis> force(Decoding& decoding, std::span<const std::vector<TokenId>> targets,
                              const SearchOptions& options);

// Tokens a translation may have at most, </s> included.
Index longest_translation(Index source_length, const SearchOptions& options);

}  // namespace dhyan
