#include "metrics/mteval_rules.h"

namespace dhyan {

namespace {

bool is_digit(char32_t code) { return code >= '0' && code <= '9'; }
bool is_no_digit(char32_t code) { return !is_digit(code); }
bool is_point(char32_t code) { return code == '.' || code == ','; }
bool is_dash(char32_t code) { return code == '-'; }

// ASCII punctuation and symbols except ' , - . which have their own rules.
bool is_ascii_symbol(char32_t code) {
  return (code >= '{' && code <= '~') || (code >= '[' && code <= '`') || (code >= ' ' && code <= '&') ||
         (code >= '(' && code <= '+') || (code >= ':' && code <= '@') || code == '/';
}

}  // namespace

void replace_all(std::u32string& text, std::u32string_view what, std::u32string_view by) {
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
}

void unescape_xml(std::u32string& text) {
  replace_all(text, U"&quot;", U"\"");
  replace_all(text, U"&amp;", U"&");
  replace_all(text, U"&lt;", U"<");
  replace_all(text, U"&gt;", U">");
}

std::u32string separate_ascii_symbols(std::u32string_view text) { return separate_each(text, is_ascii_symbol); }

std::u32string separate_points(std::u32string_view text) {
  std::u32string separated = separate_neighbours(text, is_no_digit, is_point, Blanks::kAroundSecond);
  separated = separate_neighbours(separated, is_point, is_no_digit, Blanks::kAroundFirst);
  return separate_neighbours(separated, is_digit, is_dash, Blanks::kAroundSecond);
}

}  // namespace dhyan
