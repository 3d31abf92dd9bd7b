#pragma once

#include "text/tokenizer.h"

namespace dhyan {

// The line as tokens, as far as the first `tokens` of them and some more; all of it if it has no more. Text far behind
// is not looked at, so that a line of any length costs about what its first tokens cost. Whether the rest is valid
// UTF-8 is checked all the same (DataError).
Encoded encode_beginning(const Tokenizer& tokenizer, std::string_view line, Index tokens);

}  // namespace dhyan
