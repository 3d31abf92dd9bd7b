#include "markup/xml_outline.h"

#include <string>

namespace dhyan {

namespace {

struct XmlContent {
  bool has_text = false;       // text of its own
  int children_with_text = 0;  // with text of their own or of their descendants

  bool is_blank() const { return !has_text && children_with_text == 0; }
  bool is_container() const { return !has_text && children_with_text > 1; }
};

// The content of the document, at 0, and of the element that each token starts, at the token's number + 1.
std::vector<XmlContent> contents(const std::vector<MarkupToken>& tokens) {
  std::vector<XmlContent> all(tokens.size() + 1);
  std::vector<std::size_t> open = {0};
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const MarkupToken& token = tokens[i];
    if (token.kind == MarkupToken::Kind::kStart) {
      open.push_back(i + 1);
    } else if (token.kind == MarkupToken::Kind::kEnd) {
      const bool blank = all[open.back()].is_blank();
      open.pop_back();
      if (!blank) ++all[open.back()].children_with_text;
    } else if (token.text.find_first_not_of(" \t\r\n") != token.text.npos) {
      all[open.back()].has_text = true;
    }
  }
  return all;
}

}  // namespace

void find_blocks(std::vector<MarkupToken>& tokens) {
  struct Open {
    bool block = false;
    bool in_text = false;  // it, or an element around it, has text of its own
    bool is_container = false;
  };
  const std::vector<XmlContent> all = contents(tokens);
  std::vector<Open> open = {{false, all[0].has_text, all[0].is_container()}};
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind == MarkupToken::Kind::kStart) {
      const bool block = !open.back().in_text && open.back().is_container;
      open.push_back({block, open.back().in_text || all[i + 1].has_text, all[i + 1].is_container()});
      if (block) tokens[i].role = ElementRole::kBlock;
    } else if (tokens[i].kind == MarkupToken::Kind::kEnd) {
      if (open.back().block) tokens[i].role = ElementRole::kBlock;
      open.pop_back();
    }
  }
}

}  // namespace dhyan
