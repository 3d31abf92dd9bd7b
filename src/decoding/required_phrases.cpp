#include "decoding/required_phrases.h"

#include <algorithm>
#include <map>

namespace dhyan {

namespace {

bool has_phrase(std::span<const TokenId> written, const Phrase& phrase) {
  return phrase.empty() || std::search(written.begin(), written.end(), phrase.begin(), phrase.end()) != written.end();
}

bool ends_with(std::span<const TokenId> written, std::span<const TokenId> end) {
  return end.size() <= written.size() && std::ranges::equal(written.last(end.size()), end);
}

// How much of the phrase stands at the end of what was written.
std::size_t begun(std::span<const TokenId> written, const Phrase& phrase) {
  for (std::size_t length = phrase.size() - 1; length > 0; --length) {
    if (ends_with(written, std::span(phrase).first(length))) return length;
  }
  return 0;
}

}  // namespace

Index RequiredPhrases::left(std::span<const TokenId> written) const {
  std::size_t missing = 0, longest_begun = 0;
  for (const Phrase& phrase : phrases_) {
    if (has_phrase(written, phrase)) continue;
    missing += phrase.size();
    longest_begun = std::max(longest_begun, begun(written, phrase));
  }
  return static_cast<Index>(missing - longest_begun);
}

std::vector<TokenId> RequiredPhrases::next(std::span<const TokenId> written) const {
  std::vector<TokenId> words;
  for (const Phrase& phrase : phrases_) {
    if (has_phrase(written, phrase)) continue;
    words.push_back(phrase.front());
    words.push_back(phrase[begun(written, phrase)]);
  }
  std::ranges::sort(words);
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

std::vector<std::size_t> allotted(std::span<const Index> left, Index beam_size) {
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
