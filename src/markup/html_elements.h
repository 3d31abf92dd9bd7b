#pragma once

#include <string_view>

#include "markup/token.h"

namespace dhyan {

// The syntax of an element's content.
enum class HtmlContent {
  kMarkup,
  kVoid,              // no content and no end tag
  kRawText,           // up to the end tag, without tags or entities
  kEscapableRawText,  // up to the end tag, with entities
  kPlainText,         // the rest of the document
};

struct HtmlElement {
  ElementRole role = ElementRole::kInline;
  HtmlContent content = HtmlContent::kMarkup;
  bool copied = false;  // not translated
};

// The element of a name in lower case. Unknown elements are inline, as in browsers.
HtmlElement html_element(std::string_view name);

// Whether a start tag ends an open element that has no end tag: <li> ends <li>.
bool ends_implicitly(std::string_view open, std::string_view start);

}  // namespace dhyan
