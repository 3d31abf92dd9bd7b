#pragma once

#include <span>
#include <vector>

#include "decoding/search.h"

namespace dhyan {

// Phrases that a translation must have, and how far it is with them. Phrases may share words where they overlap. A
// phrase followed by a token that may not stand behind it, one that continues its last word, does not count.
class RequiredPhrases {
 public:
  // not_behind: ascending tokens for each phrase, which must live as long; or nothing.
  explicit RequiredPhrases(std::vector<Phrase> phrases, std::vector<std::span<const TokenId>> not_behind = {});

  bool empty() const { return phrases_.empty(); }

  // Tokens that are still to be written, at most: those of the phrases that are missing, but what is begun of one.
  Index left(std::span<const TokenId> written) const;

  // The words that lead on: each makes left() less by one or more, or begins a phrase.
  std::vector<TokenId> next(std::span<const TokenId> written) const;

  // Sets to -inf what may not stand behind a phrase that was just written, if `room` tokens do not hold it again.
  void forbid(std::span<const TokenId> written, Index room, std::span<Real> logits) const;  // [V]

 private:
  bool has(std::span<const TokenId> written, std::size_t phrase) const;

  std::vector<Phrase> phrases_;
  std::vector<std::span<const TokenId>> not_behind_;  // as many
};

// Which of so many hypotheses live on, by [post2018b]: they are put into banks by what they have left, and every bank
// has its share of the beam, the nearest to the end what cannot be shared evenly. What a bank does not fill goes to the
// best of the others. `left` is by rank, best first; the result ascends.
std::vector<std::size_t> allotted(std::span<const Index> left, Index beam_size);

}  // namespace dhyan
