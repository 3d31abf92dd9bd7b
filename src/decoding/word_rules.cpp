#include "decoding/word_rules.h"

#include <algorithm>
#include <limits>

#include "core/error.h"

namespace dhyan {

namespace {

constexpr Real kNever = -std::numeric_limits<Real>::infinity();

Real& logit_of(TokenId token, std::span<Real> logits) {
  if (token < 0 || token >= std::ssize(logits)) {
    throw UsageError(cat("search: token ", token, " is outside of a vocabulary of ", logits.size()));
  }
  return logits[static_cast<std::size_t>(token)];
}

// Forbids words that would repeat an n-gram. </s> occurs only once anyway.
class NoRepetition final : public WordRule {
 public:
  explicit NoRepetition(Index n) : before_(static_cast<std::size_t>(n - 1)) {}
  void forbid(std::span<const TokenId> written, std::span<Real> logits) const override {
    if (written.size() < before_) return;
    const auto last = written.last(before_);
    for (std::size_t i = 0; i + before_ < written.size(); ++i) {
      if (std::ranges::equal(written.subspan(i, before_), last)) logit_of(written[i + before_], logits) = kNever;
    }
  }

 private:
  std::size_t before_;  // tokens of an n-gram before its last
};

class ForbiddenPhrases final : public WordRule {
 public:
  explicit ForbiddenPhrases(std::vector<Phrase> phrases) : phrases_(std::move(phrases)) {}
  void forbid(std::span<const TokenId> written, std::span<Real> logits) const override {
    for (const Phrase& phrase : phrases_) {
      const auto begun = std::span(phrase).first(phrase.size() - 1);
      if (begun.size() > written.size()) continue;
      if (std::ranges::equal(written.last(begun.size()), begun)) logit_of(phrase.back(), logits) = kNever;
    }
  }

 private:
  std::vector<Phrase> phrases_;
};

class OnlyTheseWords final : public WordRule {
 public:
  explicit OnlyTheseWords(Phrase words) : words_(std::move(words)) {}
  void forbid(std::span<const TokenId>, std::span<Real> logits) const override {
    auto next = words_.begin();
    for (TokenId token = 0; token < std::ssize(logits); ++token) {
      while (next != words_.end() && *next < token) ++next;
      const bool is_there = next != words_.end() && *next == token;
      if (!is_there && token != kEnd) logits[static_cast<std::size_t>(token)] = kNever;
    }
  }

 private:
  Phrase words_;
};

}  // namespace

WordRules::WordRules(const SearchOptions& options, const SearchTask& task)
    : min_length_(options.min_length), prefix_(task.prefix), forbidden_after_prefix_(task.forbidden_after_prefix) {
  if (options.no_repeat_ngram > 0) rules_.push_back(std::make_shared<NoRepetition>(options.no_repeat_ngram));
  if (!options.forbidden.empty()) rules_.push_back(std::make_shared<ForbiddenPhrases>(options.forbidden));
  if (!task.vocabulary.empty()) rules_.push_back(std::make_shared<OnlyTheseWords>(task.vocabulary));
}

bool WordRules::continues_prefix(std::span<const TokenId> written, TokenId next) const {
  return written.size() == prefix_.size() && std::ranges::binary_search(forbidden_after_prefix_, next);
}

void WordRules::forbid(std::span<const TokenId> written, std::span<Real> logits) const {
  if (in_prefix(written)) {
    const TokenId next = prefix_[written.size()];
    const Real kept = logit_of(next, logits);
    std::ranges::fill(logits, kNever);
    logits[static_cast<std::size_t>(next)] = kept;
    return;
  }
  if (!may_end(std::ssize(written))) logits[kEnd] = kNever;
  if (written.size() == prefix_.size()) {
    for (const TokenId token : forbidden_after_prefix_) logit_of(token, logits) = kNever;
  }
  for (const auto& rule : rules_) rule->forbid(written, logits);
}

}  // namespace dhyan
