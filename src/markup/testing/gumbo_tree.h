#pragma once

#include <algorithm>
#include <gumbo.h>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace dhyan {

// For tests: white space as one space, and none at the ends.
inline std::string collapsed(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool space = c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
    if (!space) {
      result += c;
    } else if (!result.empty() && result.back() != ' ') {
      result += ' ';
    }
  }
  if (result.ends_with(' ')) result.pop_back();
  return result;
}

// For tests: the tree of the HTML parser gumbo, as a second opinion beside our own scanner.
struct GumboTree {
  std::vector<std::string> elements;  // each as "its start tag in its parent's start tag", sorted
  std::string text;                   // white space collapsed
};

inline GumboTree gumbo_tree(std::string_view document) {
  const auto destroy = [](GumboOutput* parsed) { gumbo_destroy_output(&kGumboDefaultOptions, parsed); };
  GumboOptions options = kGumboDefaultOptions;
  options.fragment_context = GUMBO_TAG_DIV;
  const std::unique_ptr<GumboOutput, decltype(destroy)> parsed(
      gumbo_parse_with_options(&options, document.data(), document.size()));
  const auto tag = [](const GumboElement& element) {
    return std::string(element.original_tag.data == nullptr ? "" : element.original_tag.data,
                       element.original_tag.length);
  };
  GumboTree tree;
  std::vector<const GumboNode*> open = {parsed->root};
  while (!open.empty()) {
    const GumboNode* node = open.back();
    open.pop_back();
    if (node->type == GUMBO_NODE_TEXT || node->type == GUMBO_NODE_WHITESPACE) tree.text += node->v.text.text;
    if (node->type != GUMBO_NODE_ELEMENT) continue;
    if (node != parsed->root) tree.elements.push_back(tag(node->v.element) + " in " + tag(node->parent->v.element));
    const GumboVector& children = node->v.element.children;
    for (unsigned i = children.length; i-- > 0;) open.push_back(static_cast<const GumboNode*>(children.data[i]));
  }
  std::ranges::sort(tree.elements);
  tree.text = collapsed(tree.text);
  return tree;
}

}  // namespace dhyan
