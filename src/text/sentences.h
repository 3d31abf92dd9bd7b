#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer.h"

namespace dhyan {

// The ranges of the sentences in a text, without surrounding spaces; empty for blank text. A sentence ends
//   at . ! ? … and the Arabic ؟ ۔, with closing quotes and brackets, before a space
//   at the dandas । ॥ and the wide 。 ！ ？ ．, with closing quotes and brackets, before any text
// but not at a dot behind an abbreviation or an initial ("Dr. A. Rao", "No. 5"), behind the number that begins a text,
// or before a small letter. These are heuristics.
std::vector<ByteRange> sentence_ranges(std::string_view text);

// Joins two sentences: with a space, unless the first ends with wide punctuation as in Chinese and Japanese.
std::string joined_sentences(std::string_view first, std::string_view second);

}  // namespace dhyan
