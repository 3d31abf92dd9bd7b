#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer.h"

namespace dhyan {

// A lock-free cache of the tokens of words, for a tokenizer that segments each word independently of its neighbours.
// Any number of threads may read and write at the same time. Entries are never removed; a full cache adds no more.
class WordCache {
 public:
  WordCache();
  ~WordCache();

  // Encodes a line word by word; calls `cut` for words that are not in the cache. Returns false, without any change, if
  // a word depends on its neighbours because unknown tokens merge across spaces. Words are separated by spaces.
  using Cut = std::function<Encoded(std::string_view word)>;
  bool append(std::string_view line, const Cut& cut, Encoded& encoded);

 private:
  struct Word;

  const Word* find(std::string_view text) const;
  void add(std::unique_ptr<const Word> word);

  std::vector<std::atomic<const Word*>> slots_;
};

}  // namespace dhyan
