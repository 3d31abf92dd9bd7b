#pragma once

#include <string>
#include <utility>
#include <vector>

#include "text/tokenizer.h"

namespace dhyan {

// A translation and its word alignment with the source. Text outside of the words is not linked. Without links, the
// words are assumed to follow the order of the source.
struct TranslatedSentence {
  std::string text;
  std::vector<ByteRange> source_words = {};     // in the sentence, ascending
  std::vector<ByteRange> target_words = {};     // in text, ascending
  std::vector<std::pair<int, int>> links = {};  // source word, target word
};

}  // namespace dhyan
