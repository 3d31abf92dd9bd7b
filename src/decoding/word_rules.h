#pragma once

#include <memory>
#include <span>
#include <vector>

#include "decoding/search.h"

namespace dhyan {

// Says which words may not come next. It looks only at what was written, so that hypotheses carry no state for it.
class WordRule {
 public:
  virtual ~WordRule() = default;
  virtual void forbid(std::span<const TokenId> written, std::span<Real> logits) const = 0;  // [V], -inf for those
};

// The rules of one sentence: the least length, n-grams and phrases that must not come, the words there are. As long as
// its given beginning is being written they do not count: only its next word may come. Right behind it, what would go
// on with its last word may not.
class WordRules {
 public:
  WordRules(const SearchOptions& options, const SearchTask& task);

  bool empty() const { return rules_.empty() && prefix_.empty(); }  // but for the least length
  bool may_end(Index length) const { return length >= min_length_; }
  bool in_prefix(std::span<const TokenId> written) const { return written.size() < prefix_.size(); }
  bool continues_prefix(std::span<const TokenId> written, TokenId next) const;
  void forbid(std::span<const TokenId> written, std::span<Real> logits) const;

 private:
  Index min_length_;
  Phrase prefix_;
  std::span<const TokenId> not_behind_prefix_;
  std::vector<std::shared_ptr<const WordRule>> rules_;
};

}  // namespace dhyan
