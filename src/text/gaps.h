#pragma once

#include "text/tokenizer.h"

namespace dhyan {

// What stands for a gap among the tokens of a line: no line has it of itself.
inline constexpr TokenId kGapToken = kPad;

// A line with gaps in it, each written as `mark`. The line is tokenised as one, as if a word nobody knows stood in
// every gap, so that what is behind a gap is cut as it is in a line without gaps. A gap is one token, whose piece is
// its mark.
Encoded encode_gapped(const Tokenizer& tokenizer, std::string_view line, std::string_view mark);

}  // namespace dhyan
