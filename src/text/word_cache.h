#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer.h"

namespace dhyan {

// Words as a tokenizer has cut them, for one that cuts each word of a line the same way whatever stands beside it. Any
// number of threads may read and write at a time, and none waits for another: a word that is there stays, and once
// there is no more room, none is added.
class WordCache {
 public:
  WordCache();
  ~WordCache();

  // A line as tokens, word by word; `cut` is asked for those that were not seen before. False, and nothing is changed,
  // if a word depends on what stands beside it: unknown tokens run together over spaces. Spaces are what is between
  // words.
  using Cut = std::function<Encoded(std::string_view word)>;
  bool append(std::string_view line, const Cut& cut, Encoded& encoded);

 private:
  struct Word;

  const Word* find(std::string_view text) const;
  void add(std::unique_ptr<const Word> word);

  std::vector<std::atomic<const Word*>> slots_;
};

}  // namespace dhyan
