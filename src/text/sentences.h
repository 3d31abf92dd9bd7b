#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer.h"

namespace dhyan {

// Where the sentences of a text stand, without the spaces around them; none of a text of spaces. A sentence ends
//   at . ! ? … and the Arabic ؟ ۔, with the quotes and brackets that close behind them, before a space
//   at the dandas । ॥ and the wide 。 ！ ？ ．, with what closes, whatever comes next
// but not at a dot behind an abbreviation or an initial ("Dr. A. Rao", "No. 5"), behind the number that begins a text,
// or before a small letter. These are rules of thumb: a guess where grammar would be needed.
std::vector<ByteRange> sentence_ranges(std::string_view text);

// Two sentences in one line: with a space between, unless the first ends wide as in Chinese and Japanese.
std::string joined_sentences(std::string_view first, std::string_view second);

}  // namespace dhyan
