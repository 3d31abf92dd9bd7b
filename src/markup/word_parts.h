#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "text/tokenizer.h"

namespace dhyan {

// The parts of a word: the punctuation marks around it, one by one, and the core between them. A word of marks only
// has no core.
struct WordParts {
  Index begin = 0;  // numbers of parts
  Index core_begin = 0;
  Index core_end = 0;
  Index end = 0;

  bool has_core() const { return core_begin < core_end; }
};

// A sentence cut into the parts between which tags may stand. They cover all but white space.
struct SentenceParts {
  std::vector<ByteRange> parts;
  std::vector<WordParts> words;  // of the words given
  bool ends_with_mark = false;   // the last part is one
};

// The words are byte ranges in the text and ascend. Text outside of them is cut at white space. Throws UsageError if
// they do not fit.
SentenceParts sentence_parts(std::string_view text, std::span<const ByteRange> words);

}  // namespace dhyan
