#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "markup/token.h"
#include "text/tokenizer.h"

namespace dhyan {

// Markup inside a text, which is not translated.
struct FlowItem {
  enum class Kind {
    kOpen,       // a start tag; its end may be in a later flow
    kClose,      // an end tag, perhaps empty; its start may be in an earlier flow
    kInvisible,  // a comment, a script
    kVisible,    // a picture, or an element that is copied whole
  };

  Kind kind = Kind::kInvisible;
  std::string source;
  Index offset = 0;           // in the text
  bool space_before = false;  // white space separates it from the visible text before and after it
  bool space_after = false;
};

// A text that no block interrupts, without its tags, which are in `items`.
struct Flow {
  std::string before;        // markup and blank flows before it, as in the document
  std::string leading = {};  // white space before its first sentence and after its last one
  std::string trailing = {};
  std::string text = {};
  std::vector<ByteRange> sentences = {};  // in text; none at the end of the document
  std::vector<FlowItem> items = {};       // in the order of the document
};

struct FlowOptions {
  bool collapse_space = true;  // white space is one space, as in HTML; else line breaks end a flow
  bool markup = true;          // special characters are escaped; flows without a letter or number are not translated
};

// Cuts a document into flows. The last one has no sentence; its `before` ends the document.
std::vector<Flow> flows(std::span<const MarkupToken> tokens, const FlowOptions& options);

// & < > as entities.
std::string escape_markup(std::string_view text);

}  // namespace dhyan
