#pragma once

#include <vector>

#include "markup/token.h"

namespace dhyan {

// The tokens of an HTML document with an end for every start: an end token without source closes an element that has no
// end tag, and an end tag without a start becomes kOther. Linear time.
std::vector<MarkupToken> balanced(std::vector<MarkupToken> tokens);

}  // namespace dhyan
