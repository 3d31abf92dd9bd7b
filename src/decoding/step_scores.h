#pragma once

#include <functional>
#include <span>
#include <vector>

#include "decoding/search.h"
#include "kernels/rows/top_k.h"
#include "models/decoder.h"
#include "ops/listed_outputs.h"

namespace dhyan {

// The scores of the words of a step, as a search reads them.
enum class Ask {
  kProbabilities,      // of any word
  kBestProbabilities,  // of the best words only, so that a model may skip the others
  kOrder,              // of any word, relative to the best: saves the sum over the vocabulary
  kBest,               // the same, of the best words only
};

// Whether <unk> may be written. Log p of the other words is the same either way.
enum class UnknownWord { kSuppressed, kAllowed };
inline UnknownWord unknown_word(const SearchOptions& options) {
  return options.allow_unknown ? UnknownWord::kAllowed : UnknownWord::kSuppressed;
}

// The log probabilities of one step: of any word, and the best words of each hypothesis.
class StepScores {
 public:
  // Keeps the `best` best words of every hypothesis at each step; fewer if the vocabulary is smaller.
  explicit StepScores(Index best, Ask ask = Ask::kProbabilities, UnknownWord unknown = UnknownWord::kAllowed)
      : wanted_(best), ask_(ask), unknown_(unknown) {}

  // Continuation::best and log_sums of the request to the model. 0 best: all words.
  Index asked() const;
  bool asks_for_sums() const { return ask_ == Ask::kBestProbabilities; }

  // Reads the logits of a step, which must outlive the queries below, or its best words. Of listed words, only those
  // are among the best, and log p is over them. ModelFileError if logits are NaN, ShapeError if the vocabulary is too
  // small.
  void read(const DecoderStep& step, const ListedWords& lists = {});
  void read(const Var& logits, const ListedWords& lists = {});  // [A,V]

  // Sets forbidden words to -inf.
  using Forbid = std::function<void(std::span<Real> logits)>;  // [V]

  // UsageError for a token outside of the vocabulary.
  double log_probability(Index row, TokenId token) const;

  // One score for every word; -inf for words that are suppressed or forbidden.
  std::vector<double> log_probabilities(Index row, const Forbid& forbid = {}) const;  // [V]

  // The best words of a hypothesis, best first, ties by id; fewer where only a few are listed. <pad> and <s> are
  // suppressed because no model is trained to write them, and <unk> unless it is allowed.
  std::span<const Candidate> best(Index row) const;

  // The `count` best words that are not forbidden. Forbidden words do not change log p of the others.
  std::vector<Candidate> best(Index row, Index count, const Forbid& forbid) const;

 private:
  Index never_given() const { return unknown_ == UnknownWord::kSuppressed ? 3 : 2; }
  bool can_be_given(const kernels::Ranked& word) const;
  bool has_sums() const { return ask_ == Ask::kProbabilities || ask_ == Ask::kBestProbabilities; }
  void rank(Index row, std::span<const TokenId> words, double* log_sum);
  void keep_best(std::span<const kernels::Ranked> ranked, double log_sum);
  double order_best();
  std::vector<Real> allowed(Index row, const Forbid& forbid) const;

  Index wanted_;
  Ask ask_;
  UnknownWord unknown_;
  Tensor logits_;                        // [A,V]
  std::vector<double> log_sums_;         // [A]  log Σ_v exp z_v
  std::vector<kernels::Ranked> ranked_;  // of one row, from the kernel
  std::vector<Real> listed_;             // logits of the listed words of one row
  std::vector<Candidate> best_;          // [A,best_count_]
  Index best_count_ = 0;
};

}  // namespace dhyan
