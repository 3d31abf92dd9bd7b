#pragma once

#include "text/tokenizer.h"

namespace dhyan {

// The token id of a gap; no text encodes to it.
inline constexpr TokenId kGapToken = kPad;

// Encodes a line with gaps, each written as `mark`. The line is tokenised as a whole, with an unknown word in every
// gap, so that the text after a gap is segmented as without gaps; or in parts, if the tokenizer wants it so. A gap is
// one token, whose piece is its mark.
Encoded encode_gapped(const Tokenizer& tokenizer, std::string_view line, std::string_view mark);

}  // namespace dhyan
