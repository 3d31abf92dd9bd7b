#include "metrics/bleu_tokenizers.h"

#include <array>

#include "core/table.h"
#include "text/unicode.h"

namespace dhyan {

namespace {

// Where blanks go in two neighbours x and y.
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

void replace_all(std::u32string& text, std::u32string_view what, std::u32string_view by) {
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
}

bool is_digit(char32_t code) { return code >= '0' && code <= '9'; }
bool is_no_digit(char32_t code) { return !is_digit(code); }
bool is_point(char32_t code) { return code == '.' || code == ','; }
bool is_dash(char32_t code) { return code == '-'; }

// Punctuation and symbols of ASCII but for ' , - . which have rules of their own.
bool is_ascii_symbol(char32_t code) {
  return (code >= '{' && code <= '~') || (code >= '[' && code <= '`') || (code >= ' ' && code <= '&') ||
         (code >= '(' && code <= '+') || (code >= ':' && code <= '@') || code == '/';
}

bool is_number(char32_t code) { return major_category(code) == 'N'; }
bool is_no_number(char32_t code) { return !is_number(code); }
bool is_punctuation(char32_t code) { return major_category(code) == 'P'; }
bool is_symbol(char32_t code) { return major_category(code) == 'S'; }

std::u32string separate_none(std::u32string_view line) { return std::u32string(line); }

std::u32string separate_characters(std::u32string_view line) {
  return separate_each(line, [](char32_t) { return true; });
}

// mteval-v13a.pl, the tokenizer of WMT.
std::u32string separate_13a(std::u32string_view line) {
  std::u32string text = U" ";
  text += line;
  text += U' ';
  replace_all(text, U"<skipped>", U"");
  replace_all(text, U"-\n", U"");
  replace_all(text, U"\n", U" ");
  replace_all(text, U"&quot;", U"\"");
  replace_all(text, U"&amp;", U"&");
  replace_all(text, U"&lt;", U"<");
  replace_all(text, U"&gt;", U">");
  text = separate_each(text, is_ascii_symbol);
  text = separate_neighbours(text, is_no_digit, is_point, Blanks::kAroundSecond);
  text = separate_neighbours(text, is_point, is_no_digit, Blanks::kAroundFirst);
  return separate_neighbours(text, is_digit, is_dash, Blanks::kAroundSecond);
}

// mteval-v14.pl with --international-tokenization. A point between a number and the end of the line stays where it is,
// as it does there.
std::u32string separate_international(std::u32string_view line) {
  std::u32string text = separate_neighbours(line, is_no_number, is_punctuation, Blanks::kAroundSecond);
  text = separate_neighbours(text, is_punctuation, is_no_number, Blanks::kAroundFirst);
  return separate_each(text, is_symbol);
}

constexpr std::array<BleuTokenizer, 4> kTokenizers{{
    {"13a", "ASCII punctuation apart, as WMT does; for most languages", separate_13a},
    {"intl", "punctuation and symbols of all scripts apart", separate_international},
    {"char", "every character apart", separate_characters},
    {"none", "blanks alone separate; for text that is tokenised already", separate_none},
}};

}  // namespace

std::span<const BleuTokenizer> bleu_tokenizers() { return kTokenizers; }

const BleuTokenizer& bleu_tokenizer(std::string_view name) { return entry_named("tokenize", bleu_tokenizers(), name); }

}  // namespace dhyan
