#include "decoding/required_phrases.h"

#include <algorithm>
#include <limits>
#include <map>

namespace dhyan {

namespace {

bool ends_with(std::span<const TokenId> written, std::span<const TokenId> end) {
  return end.size() <= written.size() && std::ranges::equal(written.last(end.size()), end);
}

// Length of the longest prefix of the phrase that ends the tokens written.
std::size_t begun(std::span<const TokenId> written, const Phrase& phrase) {
  for (std::size_t length = phrase.size() - 1; length > 0; --length) {
    if (ends_with(written, std::span(phrase).first(length))) return length;
  }
  return 0;
}

}  // namespace

RequiredPhrases::RequiredPhrases(std::vector<Phrase> phrases, std::vector<std::span<const TokenId>> forbidden_after)
    : phrases_(std::move(phrases)), forbidden_after_(std::move(forbidden_after)) {
  forbidden_after_.resize(phrases_.size());
}

bool RequiredPhrases::has(std::span<const TokenId> written, std::size_t phrase) const {
  const Phrase& wanted = phrases_[phrase];
  if (wanted.empty()) return true;
  const auto end = written.end();
  for (auto at = written.begin(); (at = std::search(at, end, wanted.begin(), wanted.end())) != end; ++at) {
    const auto next = at + std::ssize(wanted);
    if (next == end || !std::ranges::binary_search(forbidden_after_[phrase], *next)) return true;
  }
  return false;
}

Index RequiredPhrases::left(std::span<const TokenId> written) const {
  std::size_t missing = 0, longest_begun = 0;
  for (std::size_t i = 0; i < phrases_.size(); ++i) {
    const Phrase& phrase = phrases_[i];
    if (has(written, i)) continue;
    missing += phrase.size();
    longest_begun = std::max(longest_begun, begun(written, phrase));
  }
  return static_cast<Index>(missing - longest_begun);
}

std::vector<TokenId> RequiredPhrases::next(std::span<const TokenId> written) const {
  std::vector<TokenId> words;
  for (std::size_t i = 0; i < phrases_.size(); ++i) {
    const Phrase& phrase = phrases_[i];
    if (has(written, i)) continue;
    words.push_back(phrase.front());
    words.push_back(phrase[begun(written, phrase)]);
  }
  std::ranges::sort(words);
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

void RequiredPhrases::forbid(std::span<const TokenId> written, Index room, std::span<Real> logits) const {
  for (std::size_t i = 0; i < phrases_.size(); ++i) {
    const bool undoes =
        !forbidden_after_[i].empty() && ends_with(written, phrases_[i]) && !has(written.first(written.size() - 1), i);
    if (!undoes || left(written) + std::ssize(phrases_[i]) <= room) continue;
    for (const TokenId token : forbidden_after_[i]) {
      logits[static_cast<std::size_t>(token)] = -std::numeric_limits<Real>::infinity();
    }
  }
}

std::vector<std::size_t> allocate_to_banks(std::span<const Index> left, Index beam_size) {
  std::map<Index, Index> places;  // of each bank
  for (const Index bank : left) places[bank] = 0;
  const Index banks = std::ssize(places), share = beam_size / std::max<Index>(banks, 1);
  Index over = beam_size - share * banks;
  for (auto& [bank, count] : places) count = share + (over-- > 0 ? 1 : 0);
  std::vector<std::size_t> kept, others;
  for (std::size_t i = 0; i < left.size(); ++i) (places[left[i]]-- > 0 ? kept : others).push_back(i);
  for (const std::size_t i : others) {
    if (std::ssize(kept) == beam_size) break;
    kept.push_back(i);
  }
  std::ranges::sort(kept);
  return kept;
}

}  // namespace dhyan
