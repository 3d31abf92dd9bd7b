#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "core/choice.h"
#include "decoding/beam_record.h"
#include "decoding/hypothesis.h"
#include "models/decoder.h"

namespace dhyan {

// The attention that a search records: none; the weights on the source; or attention of every kind with energies and
// contexts, and the best words of each step.
enum class RecordedAttention { kNothing, kWeights, kSteps };

// When the search for a sentence ends, once it has patience times beam_size finished hypotheses:
enum class Stopping {
  kFull,     // at once
  kLikely,   // if no live hypothesis scores better now than the worst of them
  kCertain,  // if no live hypothesis can score better later, within the maximum length
};
inline constexpr std::array kStoppings = {Choice{"full", Stopping::kFull}, Choice{"likely", Stopping::kLikely},
                                          Choice{"certain", Stopping::kCertain}};

using Phrase = std::vector<TokenId>;

// The words that log p is normalised over where SearchTask::vocabulary lists those allowed: all, so that a score means
// the same with and without it; or the listed ones, as in Marian, so that a beam computes no others.
enum class ScoredWords { kAll, kListed };
inline constexpr std::array kScoredWords = {Choice{"all", ScoredWords::kAll}, Choice{"listed", ScoredWords::kListed}};

// Cancels one sentence; any thread may set it. The sentence leaves the batch before the next step, as a finished one
// does, and its result is empty; the results of the others keep the same bytes. Null: never cancelled.
using CancelFlag = const std::atomic<bool>*;
inline bool is_cancelled(CancelFlag flag) { return flag != nullptr && flag->load(std::memory_order_relaxed); }

struct SearchOptions {
  Index beam_size = 5;        // 1 is greedy
  Index n_best = 1;           // hypotheses returned for each sentence, at most beam_size
  double length_penalty = 1;  // score = log p / length^penalty; 0: log p itself
  LengthNorm length_norm = LengthNorm::kPlain;
  double coverage_penalty = 0;  // β of [wu2016] section 7; above 0 the model must have cross-attention
  Index min_length = 0;         // tokens before </s>
  Index max_length = 256;       // tokens of a translation, </s> included, for any source; at least 1
  double max_length_ratio = 3;  // also limits to this times the source length plus 10; min_length has priority
  bool scored = true;           // false, with a beam of 1: scores are not computed
  RecordedAttention keep = RecordedAttention::kNothing;
  Index candidates = 5;  // best words kept of each step, with RecordedAttention::kSteps
  Index max_recorded = std::numeric_limits<Index>::max();  // numbers of the record of a batch; DataError for more
  Stopping stopping = Stopping::kLikely;
  double patience = 1;        // [kasai2022]
  bool refill = false;        // a finished hypothesis gives its place in the beam to the next best one
  bool narrow = false;        // it takes its place along, so that the beam becomes narrower; not with refill
  Index groups = 1;           // diverse beam search: groups of beam_size / groups hypotheses
  double diversity = 0.5;     // λ of [vijayakumar2018]: penalty for each earlier group that chose the word
  Index no_repeat_ngram = 0;  // n-grams of this length occur at most once; 0: no limit
  std::vector<Phrase> forbidden = {};
  bool allow_unknown = false;  // does not change log p of the other words
  ScoredWords scored_words = ScoredWords::kAll;
  Index record_pruned = -1;         // pruned hypotheses to record at each step; below 0: no record
  std::function<void()> poll = {};  // called for every step; may throw to stop
};

// A sentence to translate and the constraints of its translation.
struct SearchTask {
  Index source_length = 0;
  Phrase prefix = {};                                    // the translation begins with this;
  std::span<const TokenId> forbidden_after_prefix = {};  // these must not follow it; ascending; must outlive the search
  std::vector<Phrase> required = {};                     // it contains each of these, if the maximum length allows
  std::vector<std::span<const TokenId>> forbidden_after_required = {};  // tokens that must not follow each; or empty
  Phrase vocabulary = {};                                               // the only words allowed, ascending; empty: all
  CancelFlag cancelled = nullptr;
};

// Throws UsageError for values out of range or that contradict each other.
void check(const SearchOptions& options);

// The n_best translations of each sentence by score, including those cut at the maximum length (Hypothesis::finished).
// There is at least one; groups that find duplicates may give fewer than n_best. The result for a sentence does not
// depend on the others.
std::vector<std::vector<Hypothesis>> search(Decoding& decoding, std::span<const Index> source_lengths,
                                            const SearchOptions& options);

struct SearchResult {
  std::vector<Hypothesis> best;  // empty if the sentence was cancelled
  BeamRecord beam;               // if requested
};
std::vector<SearchResult> search_for(Decoding& decoding, std::span<const SearchTask> tasks,
                                     const SearchOptions& options);

// Scores one given target for each sentence, ending with </s> as in training. Length limits and rules for words do not
// apply.
std::vector<Hypothesis> force(Decoding& decoding, std::span<const std::vector<TokenId>> targets,
                              const SearchOptions& options);

// A sentence with a given target.
struct ForcedTask {
  std::vector<TokenId> target;
  CancelFlag cancelled = nullptr;
};
// force() for tasks; nullopt for a cancelled sentence.
std::vector<std::optional<Hypothesis>> force_for(Decoding& decoding, std::span<const ForcedTask> tasks,
                                                 const SearchOptions& options);

// Maximum length of a translation in tokens, </s> included.
Index longest_translation(Index source_length, const SearchOptions& options);

}  // namespace dhyan
