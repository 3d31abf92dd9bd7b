#pragma once

#include <memory>
#include <span>
#include <vector>

#include "decoding/search.h"

namespace dhyan {

// Forbids next words. It depends only on the tokens written so far, so hypotheses carry no state for it.
class WordRule {
 public:
  virtual ~WordRule() = default;
  virtual void forbid(std::span<const TokenId> written, std::span<Real> logits) const = 0;  // [V], -inf for those
};

// The rules of one sentence: minimum length, forbidden n-grams and phrases, allowed vocabulary. They do not apply
// inside the prefix, where only its next token is allowed. Right after the prefix, tokens that continue its last word
// are forbidden.
class WordRules {
 public:
  WordRules(const SearchOptions& options, const SearchTask& task);

  bool empty() const { return rules_.empty() && prefix_.empty(); }  // besides the minimum length
  bool may_end(Index length) const { return length >= min_length_; }
  bool in_prefix(std::span<const TokenId> written) const { return written.size() < prefix_.size(); }
  bool continues_prefix(std::span<const TokenId> written, TokenId next) const;
  void forbid(std::span<const TokenId> written, std::span<Real> logits) const;

 private:
  Index min_length_;
  Phrase prefix_;
  std::span<const TokenId> forbidden_after_prefix_;
  std::vector<std::shared_ptr<const WordRule>> rules_;
};

}  // namespace dhyan
