#pragma once

#include "text/tokenizer.h"

namespace dhyan {

// Encodes at least the first `tokens` tokens of a line, or all of it if it is shorter. Later text is not encoded, so
// the cost does not grow with the line, but is checked to be valid UTF-8 (DataError).
Encoded encode_beginning(const Tokenizer& tokenizer, std::string_view line, Index tokens);

}  // namespace dhyan
