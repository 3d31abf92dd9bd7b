#include "text/word_cache.h"

#include <algorithm>
#include <functional>

#include "text/sentencepiece_model.h"

namespace dhyan {

namespace {

constexpr std::size_t kSlots = std::size_t{1} << 14;
constexpr std::size_t kTries = 8;         // slots that may hold a word
constexpr std::size_t kLongestWord = 64;  // bytes; longer words rarely occur again

// Calls f(word, its begin) until f returns false; returns whether f never did.
template <class F>
bool each_word(std::string_view line, const F& f) {
  for (std::size_t begin = line.find_first_not_of(' '); begin != line.npos;) {
    const std::size_t end = std::min(line.find(' ', begin), line.size());
    if (!f(line.substr(begin, end - begin), static_cast<Index>(begin))) return false;
    begin = line.find_first_not_of(' ', end);
  }
  return true;
}

std::size_t first_slot(std::string_view word) { return std::hash<std::string_view>()(word); }

ByteRange moved(const ByteRange& range, Index by) { return {range.begin + by, range.end + by}; }

}  // namespace

struct WordCache::Word {
  std::string text;
  Encoded tokens = {};  // with ranges in the word
};

WordCache::WordCache() : slots_(kSlots) {}

WordCache::~WordCache() {
  for (const std::atomic<const Word*>& slot : slots_) std::unique_ptr<const Word>(slot.load());
}

const WordCache::Word* WordCache::find(std::string_view text) const {
  for (std::size_t at = first_slot(text), tried = 0; tried < kTries; ++tried) {
    const Word* const word = slots_[(at + tried) % kSlots].load(std::memory_order_acquire);
    if (word == nullptr || word->text == text) return word;
  }
  return nullptr;
}

void WordCache::add(std::unique_ptr<const Word> word) {
  for (std::size_t at = first_slot(word->text), tried = 0; tried < kTries; ++tried) {
    const Word* there = nullptr;
    if (slots_[(at + tried) % kSlots].compare_exchange_strong(there, word.get(), std::memory_order_acq_rel)) {
      static_cast<void>(word.release());
      return;
    }
    if (there->text == word->text) return;
  }
}

bool WordCache::append(std::string_view line, const Cut& cut, Encoded& encoded) {
  const std::size_t before = encoded.ids.size();
  const auto add_tokens = [&](const Encoded& tokens, Index begin) {
    encoded.ids.insert(encoded.ids.end(), tokens.ids.begin(), tokens.ids.end());
    for (const ByteRange& piece : tokens.pieces) encoded.pieces.push_back(moved(piece, begin));
    return true;
  };
  const bool all_alone = each_word(line, [&](std::string_view text, Index begin) {
    if (const Word* const word = find(text)) return add_tokens(word->tokens, begin);
    if (text.find(kSpaceMark) != text.npos) return false;  // SentencePiece drops it only at the end of a line
    auto word = std::make_unique<Word>(Word{std::string(text), cut(text)});
    if (std::ranges::find(word->tokens.ids, kUnknown) != word->tokens.ids.end()) return false;
    add_tokens(word->tokens, begin);
    if (text.size() <= kLongestWord) add(std::move(word));
    return true;
  });
  if (!all_alone) {
    encoded.ids.resize(before);
    encoded.pieces.resize(before);
  }
  return all_alone;
}

}  // namespace dhyan
