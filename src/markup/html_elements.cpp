#include "markup/html_elements.h"

#include <unordered_map>

namespace dhyan {

namespace {

using ElementTable = std::unordered_map<std::string_view, HtmlElement>;

ElementTable element_table() {
  ElementTable table;
  for (const std::string_view name :
       {"address", "article",  "aside",    "blockquote", "body",   "caption", "center",   "colgroup",   "dd",
        "details", "dialog",   "dir",      "div",        "dl",     "dt",      "fieldset", "figcaption", "figure",
        "footer",  "form",     "frameset", "h1",         "h2",     "h3",      "h4",       "h5",         "h6",
        "head",    "header",   "hgroup",   "html",       "legend", "li",      "main",     "menu",       "nav",
        "ol",      "optgroup", "option",   "p",          "search", "section", "summary",  "table",      "tbody",
        "td",      "template", "tfoot",    "th",         "thead",  "tr",      "ul"})
    table[name] = {.role = ElementRole::kBlock};
  for (const std::string_view name : {"base", "br", "col", "frame", "hr", "link", "meta"})
    table[name] = {ElementRole::kBlock, HtmlContent::kVoid};
  for (const std::string_view name : {"area", "param", "source", "track", "wbr"})
    table[name] = {ElementRole::kInvisible, HtmlContent::kVoid};
  for (const std::string_view name : {"embed", "img", "input"})
    table[name] = {ElementRole::kInline, HtmlContent::kVoid};
  for (const std::string_view name : {"code", "kbd", "math", "samp", "svg", "var"})
    table[name] = {ElementRole::kInline, HtmlContent::kMarkup, true};
  for (const std::string_view name : {"script", "style"})
    table[name] = {ElementRole::kInvisible, HtmlContent::kRawText, true};
  for (const std::string_view name : {"noembed", "noframes", "xmp"})
    table[name] = {ElementRole::kBlock, HtmlContent::kRawText, true};
  table["iframe"] = {ElementRole::kInline, HtmlContent::kRawText, true};
  table["textarea"] = {ElementRole::kInline, HtmlContent::kEscapableRawText, true};
  table["title"] = {ElementRole::kBlock, HtmlContent::kEscapableRawText};
  table["pre"] = {ElementRole::kBlock, HtmlContent::kMarkup, true};
  table["plaintext"] = {ElementRole::kBlock, HtmlContent::kPlainText, true};
  return table;
}

bool is_part_of_table(std::string_view name) { return name == "tbody" || name == "thead" || name == "tfoot"; }

}  // namespace

HtmlElement html_element(std::string_view name) {
  static const ElementTable table = element_table();
  const auto found = table.find(name);
  return found == table.end() ? HtmlElement{} : found->second;
}

bool ends_implicitly(std::string_view open, std::string_view start) {
  if (open == "p") {
    const HtmlElement element = html_element(start);
    return element.role == ElementRole::kBlock && (element.content != HtmlContent::kVoid || start == "hr");
  }
  if (open == "li") return start == "li";
  if (open == "dt" || open == "dd") return start == "dt" || start == "dd";
  if (open == "option") return start == "option" || start == "optgroup";
  if (open == "td" || open == "th") return start == "td" || start == "th" || start == "tr" || is_part_of_table(start);
  if (open == "tr") return start == "tr" || is_part_of_table(start);
  return is_part_of_table(open) && is_part_of_table(start);
}

}  // namespace dhyan
