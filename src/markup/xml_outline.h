#pragma once

#include <vector>

#include "markup/token.h"

namespace dhyan {

// Gives the role kBlock to the blocks of an XML document, as defined at xml_tokens(). Every start token must have its
// end.
void find_blocks(std::vector<MarkupToken>& tokens);

}  // namespace dhyan
