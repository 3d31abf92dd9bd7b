#pragma once

#include <span>
#include <vector>

#include "decoding/search.h"

namespace dhyan {

// Phrases that a translation must contain, and which tokens of them are missing. Overlapping phrases may share words. A
// phrase does not count if the next token continues its last word.
class RequiredPhrases {
 public:
  // forbidden_after: for each phrase the tokens that must not follow it, ascending; empty for none. The spans must
  // outlive this.
  explicit RequiredPhrases(std::vector<Phrase> phrases, std::vector<std::span<const TokenId>> forbidden_after = {});

  bool empty() const { return phrases_.empty(); }

  // Upper bound of the tokens still to write: those of the missing phrases, less the part of one already begun.
  Index left(std::span<const TokenId> written) const;

  // The words that make progress: each lowers left() by one or more, or begins a phrase.
  std::vector<TokenId> next(std::span<const TokenId> written) const;

  // Sets the tokens to -inf that must not follow the phrase just written, if `room` tokens are too few to write it
  // again.
  void forbid(std::span<const TokenId> written, Index room, std::span<Real> logits) const;  // [V]

 private:
  bool has(std::span<const TokenId> written, std::size_t phrase) const;

  std::vector<Phrase> phrases_;
  std::vector<std::span<const TokenId>> forbidden_after_;  // as many as phrases_
};

// Dynamic beam allocation ([post2018b]): hypotheses are put into banks by their missing tokens, and every bank gets an
// equal share of the beam; the remainder goes to the bank with the fewest missing tokens, and unused places to the best
// hypotheses of other banks. `left` is ordered by rank, best first. Returns the ascending indices of those kept.
std::vector<std::size_t> allocate_to_banks(std::span<const Index> left, Index beam_size);

}  // namespace dhyan
