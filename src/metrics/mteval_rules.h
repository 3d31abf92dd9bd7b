#pragma once

#include <string>
#include <string_view>

namespace dhyan {

// The placement of blanks around two neighbours x and y.
enum class Blanks { kAroundSecond, kAroundFirst };  // "x y ", " x y"

// The rules of both mteval tokenizers are about neighbours: the first must satisfy one predicate, the second the
// other. Pairs are looked for from left to right and do not overlap, as a regular expression's matches do not.
template <class First, class Second>
std::u32string separate_neighbours(std::u32string_view text, First first, Second second, Blanks blanks) {
  std::u32string separated;
  separated.reserve(text.size() * 2);
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (at + 1 == text.size() || !first(text[at]) || !second(text[at + 1])) {
      separated += text[at];
      continue;
    }
    if (blanks == Blanks::kAroundSecond) {
      separated.append({text[at], U' ', text[at + 1], U' '});
    } else {
      separated.append({U' ', text[at], U' ', text[at + 1]});
    }
    ++at;
  }
  return separated;
}

template <class Predicate>
std::u32string separate_each(std::u32string_view text, Predicate predicate) {
  std::u32string separated;
  separated.reserve(text.size() * 2);
  for (const char32_t code : text) {
    if (predicate(code)) {
      separated.append({U' ', code, U' '});
    } else {
      separated += code;
    }
  }
  return separated;
}

// From left to right; inserted text is not searched again.
void replace_all(std::u32string& text, std::u32string_view what, std::u32string_view by);

// The steps that 13a, zh and TER's normalisation share.
void unescape_xml(std::u32string& text);                          // &quot; &amp; &lt; &gt;, one after the other
std::u32string separate_ascii_symbols(std::u32string_view text);  // all but ' , - .
std::u32string separate_points(std::u32string_view text);         // , and . unless in a number; - after a digit

}  // namespace dhyan
