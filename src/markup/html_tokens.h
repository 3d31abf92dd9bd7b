#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "markup/token.h"

namespace dhyan {

// The tokens of an HTML document or fragment, as the tokenizer of the HTML standard finds them, with the differences
// that a translator needs: nothing is dropped, and a tag that the document does not finish is text. Every element gets
// an end: an element without an end tag gets an end token without source, before the tag that closes its parent. An end
// tag without a start is kOther. Elements named in `ignored` are copied, as are those with translate="no" or class
// notranslate.
//
// Tokens need no tree. A parser that builds the tree of a browser drops tags, copies others and moves text out of
// tables; gumbo makes 195 MB of nodes from 8 KB of unclosed <b> and <p>. Tokens take linear time and memory.
std::vector<MarkupToken> html_tokens(std::string_view document, const std::vector<std::string>& ignored);

// The text with its entities decoded, by gumbo, and without NUL.
std::string decode_entities(std::string_view text);

}  // namespace dhyan
