#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "markup/token.h"

namespace dhyan {

// A document is not well-formed XML.
class BadMarkup : public DataError {
 public:
  using DataError::DataError;
};

// The tokens of an XML document, or of a fragment: text with or without elements. Throws BadMarkup if it is not
// well-formed, or declares or uses entities of its own. Elements named in `ignored` are copied.
//
// XML does not say which elements are blocks. The children of an element that has several children with text, and no
// text of its own, are blocks, unless the element is itself part of a text: in <d><t>A</t><p>B <b>c</b></p></d>, t and
// p.
std::vector<MarkupToken> xml_tokens(std::string_view document, const std::vector<std::string>& ignored);

}  // namespace dhyan
