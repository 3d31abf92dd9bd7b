#pragma once

#include <string>
#include <string_view>

namespace dhyan {

// The effect of an element on the text around it.
enum class ElementRole {
  kInline,     // is part of the text: b, a, img
  kBlock,      // ends it: p, td, br
  kInvisible,  // is inside the text and shows nothing: script, wbr
};

// A piece of a document. The concatenated tokens of an HTML document are all of its bytes.
struct MarkupToken {
  enum class Kind { kText, kStart, kEnd, kVoid, kOther };

  Kind kind = Kind::kText;
  std::string_view source = {};  // its bytes in the document; empty for the end of an element that has no end tag
  std::string name = {};         // of the element; in small letters in HTML
  std::string text = {};         // of kText, entities decoded
  ElementRole role = ElementRole::kInline;
  bool copied = false;  // of kStart: the content of the element is not translated
};

}  // namespace dhyan
