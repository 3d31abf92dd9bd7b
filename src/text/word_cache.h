#pragma once

#include <atomic>
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

  // A line of words that were all seen before, as tokens; false, and nothing is changed, if one was not. Spaces are
  // what is between words.
  bool append(std::string_view line, Encoded& encoded) const;

  // The words of a line, as it was cut. One of unknown tokens is not kept: they run together over spaces.
  void learn(std::string_view line, const Encoded& encoded);

 private:
  struct Word;

  const Word* find(std::string_view text) const;
  void add(std::unique_ptr<const Word> word);

  std::vector<std::atomic<const Word*>> slots_;
};

}  // namespace dhyan
