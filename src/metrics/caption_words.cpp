#include "metrics/caption_words.h"

#include <algorithm>
#include <array>
#include <utility>

#include "metrics/mteval_rules.h"
#include "metrics/words.h"
#include "text/lowercase.h"
#include "text/unicode.h"

namespace dhyan {

namespace {

using Text = std::u32string_view;

template <std::size_t N>
bool is_one_of(Text word, const std::array<Text, N>& list) {
  return std::ranges::find(list, word) != list.end();
}

bool is_ascii_letter(char32_t code) { return (code | 32) >= U'a' && (code | 32) <= U'z'; }
bool is_capital(char32_t code) { return code >= U'A' && code <= U'Z'; }
bool is_numeral(char32_t code) { return major_category(code) == 'N'; }
bool is_mark(char32_t code) { return major_category(code) == 'M' || code == 0x200C || code == 0x200D; }
bool is_letter(char32_t code) { return major_category(code) == 'L' || is_mark(code); }
bool is_word_character(char32_t code) { return is_letter(code) || is_numeral(code); }
bool is_ascii_word_character(char32_t code) { return code < 0x80 && is_word_character(code); }

// The number of characters at the beginning for which the predicate holds.
template <class Predicate>
std::size_t count_leading(Text text, Predicate predicate) {
  return static_cast<std::size_t>(std::ranges::find_if_not(text, predicate) - text.begin());
}

// Whether letters and digits without combining marks are on both sides of text[at].
bool is_between_unmarked(Text text, std::size_t at) {
  std::size_t begin = at;
  while (begin > 0 && is_word_character(text[begin - 1])) --begin;
  const Text before = text.substr(begin, at - begin);
  const Text after = text.substr(at + 1, count_leading(text.substr(at + 1), is_word_character));
  return !after.empty() && std::ranges::none_of(before, is_mark) && std::ranges::none_of(after, is_mark);
}

// Whether text[at], which follows a letter or digit, joins it to the next one. A hyphen does in "3-year-old", but not
// if one side has combining marks, as in Hindi.
bool joins(Text text, std::size_t at) {
  if (at + 1 >= text.size()) return false;
  const auto both = [&](auto predicate) { return predicate(text[at - 1]) && predicate(text[at + 1]); };
  switch (text[at]) {
    case U'-':
      return is_between_unmarked(text, at);
    case U'.':
      return both(is_letter) || both(is_numeral);
    case U',':
    case U':':
      return both(is_numeral);
    case U'/':
    case U'@':
      return both(is_ascii_word_character);
    case U'&':
      return both(is_capital);
    case U'!':
    case U'?':
      return both(is_letter);
    case U'_':
      return both(is_word_character);
    default:
      return false;
  }
}

// "u.s", "p.m", "b": single letters with points between them.
bool is_initials(Text word) {
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (i % 2 == 0 ? !is_ascii_letter(word[i]) : word[i] != U'.') return false;
  }
  return word.size() % 2 == 1;
}

// Whether a point after the word belongs to it.
bool is_abbreviation(Text word) {
  constexpr std::array<Text, 48> kAbbreviations{
      U"mr",  U"mrs", U"ms",  U"dr",   U"prof", U"st",   U"mt",  U"ft",   U"jr",   U"sr",  U"vs",    U"etc",
      U"inc", U"ltd", U"co",  U"corp", U"bros", U"dept", U"ave", U"blvd", U"rd",   U"sgt", U"capt",  U"lt",
      U"col", U"gen", U"gov", U"sen",  U"rep",  U"rev",  U"hon", U"ph.d", U"jan",  U"feb", U"mar",   U"apr",
      U"jun", U"jul", U"aug", U"sep",  U"sept", U"oct",  U"nov", U"dec",  U"tues", U"wed", U"thurs", U"fri"};
  return is_initials(word) || is_one_of(lowercase(word), kAbbreviations);
}

constexpr std::array<Text, 6> kClitics{U"'s", U"'m", U"'d", U"'re", U"'ve", U"'ll"};

// The length of a word that begins with an apostrophe, such as "'s", "'em" or "'90s"; 0 if there is none.
std::size_t apostrophe_word(Text text) {
  if (lowercase(text.substr(0, 3)) == U"'n'") return 3;
  constexpr std::array<Text, 3> kElisions{U"'em", U"'til", U"'cause"};
  const std::size_t size = 1 + count_leading(text.substr(1), is_word_character);
  const std::u32string word = lowercase(text.substr(0, size));
  const bool decade = size == 4 && is_numeral(word[1]) && is_numeral(word[2]) && word[3] == U's';
  const bool split = word == U"'tis" || word == U"'twas";
  return decade || split || is_one_of(word, kClitics) || is_one_of(word, kElisions) ? size : 0;
}

// The length of the word that the text begins with; 0 if it begins with a symbol.
std::size_t word_length(Text text, bool first) {
  if (text.front() == U'\'') return apostrophe_word(text);
  std::size_t size = 0;
  if (text.size() > 1) {
    const char32_t sign = text.front();
    const bool tag = (sign == U'#' || sign == U'@') && is_ascii_letter(text[1]);
    const bool number = first && (sign == U'-' || sign == U'+' || sign == U'.') && is_numeral(text[1]);
    size = tag || number ? 1 : 0;
  }
  size += count_leading(text.substr(size), is_word_character);
  if (size == 0) return 0;
  while (size < text.size() && joins(text, size)) {
    ++size;
    size += count_leading(text.substr(size), is_word_character);
  }
  // o'clock, dog's, isn't: the part after an apostrophe ends the word
  while (size + 1 < text.size() && text[size] == U'\'' && is_ascii_word_character(text[size - 1]) &&
         is_ascii_letter(text[size + 1])) {
    ++size;
    size += count_leading(text.substr(size), is_letter);
  }
  const Text word = text.substr(0, size);
  return size < text.size() && text[size] == U'.' && is_abbreviation(word) ? size + 1 : size;
}

// The position at which a word in lower case is split: "is|n't", "dog|'s", "can|not"; its size if it is not split.
std::size_t split_point(Text word) {
  constexpr std::array<std::pair<Text, std::size_t>, 8> kSplit{{{U"cannot", 3},
                                                                {U"gonna", 3},
                                                                {U"gotta", 3},
                                                                {U"wanna", 3},
                                                                {U"gimme", 3},
                                                                {U"lemme", 3},
                                                                {U"'tis", 2},
                                                                {U"'twas", 2}}};
  for (const auto& [whole, point] : kSplit) {
    if (word == whole) return point;
  }
  if (word.ends_with(U"n't")) return word.size() - 3;
  for (const Text clitic : kClitics) {
    if (word.ends_with(clitic)) return word.size() - clitic.size();
  }
  return word.size();
}

// A word for a symbol; empty if it is removed.
Text symbol_word(Text symbol) {
  constexpr std::array<std::pair<char32_t, Text>, 6> kBrackets{
      {{U'(', U"-lrb-"}, {U')', U"-rrb-"}, {U'[', U"-lsb-"}, {U']', U"-rsb-"}, {U'{', U"-lcb-"}, {U'}', U"-rcb-"}}};
  constexpr Text kRemoved = U"\"'`.?!,:;-";
  if (symbol.size() > 1) return symbol;
  for (const auto& [bracket, word] : kBrackets) {
    if (symbol.front() == bracket) return word;
  }
  const char category = major_category(symbol.front());
  const bool removed = symbol.front() < 0x80 ? kRemoved.find(symbol.front()) != Text::npos : category == 'P';
  return removed || category == 'C' || category == 'Z' ? Text() : symbol;
}

// Runs of ! and ? and of _ are one symbol: "!!" is a word, while "!" is removed.
std::size_t symbol_length(Text text) {
  const auto is_shout = [](char32_t code) { return code == U'!' || code == U'?'; };
  const auto is_line = [](char32_t code) { return code == U'_'; };
  return std::max({std::size_t{1}, count_leading(text, is_shout), count_leading(text, is_line)});
}

void append_word(std::u32string& words, Text word) {
  if (word.empty()) return;
  if (!words.empty()) words += U' ';
  words += word;
}

}  // namespace

std::u32string caption_words(std::string_view caption) {
  std::u32string text = to_utf32(caption), words;
  unescape_xml(text);
  std::ranges::replace_if(
      text, [](char32_t code) { return code == 0x2018 || code == 0x2019; }, U'\'');
  for (const Text chunk : split_words(text)) {
    for (Text rest = chunk; !rest.empty();) {
      std::size_t size = word_length(rest, rest.size() == chunk.size());
      if (size > 0) {
        const std::u32string word = lowercase(rest.substr(0, size));
        const std::size_t point = split_point(word);
        append_word(words, Text(word).substr(0, point));
        append_word(words, Text(word).substr(point));
      } else {
        size = symbol_length(rest);
        append_word(words, symbol_word(rest.substr(0, size)));
      }
      rest.remove_prefix(size);
    }
  }
  return words;
}

std::u32string caption_words(std::string_view caption, const CaptionOptions& options) {
  return options.tokenized ? to_utf32(caption) : caption_words(caption);
}

std::string caption_settings(const CaptionOptions& options) {
  return options.tokenized ? "case:mixed|tok:none" : "case:lc|tok:ptb";
}

}  // namespace dhyan
