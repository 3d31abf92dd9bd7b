#include "text/sentences.h"

#include <algorithm>
#include <array>
#include <span>

#include "text/lowercase.h"
#include "text/unicode.h"

namespace dhyan {

namespace {

// Abbreviations in lower case, without the dot.
constexpr std::array<std::string_view, 62> kAbbreviations = {
    "mr",   "mrs", "ms",     "dr",  "prof", "rev", "gen", "col",  "capt", "lt",  "sgt",  "hon", "st",
    "sr",   "jr",  "no",     "nos", "nr",   "vol", "fig", "figs", "eq",   "sec", "ch",   "pp",  "ed",
    "eds",  "al",  "approx", "ca",  "cf",   "e.g", "i.e", "vs",   "viz",  "inc", "ltd",  "co",  "corp",
    "dept", "est", "jan",    "feb", "mar",  "apr", "jun", "jul",  "aug",  "sep", "sept", "oct", "nov",
    "dec",  "mme", "mlle",   "bzw", "z.b",  "d.h", "u.a", "usw",  "डॉ",   "श्री"};

bool is_any_of(char32_t code, std::u32string_view set) { return set.find(code) != set.npos; }
bool ends_anywhere(char32_t code) { return is_any_of(code, U"।॥。！？．"); }
bool ends_before_space(char32_t code) { return is_any_of(code, U".!?…؟۔"); }
bool closes(char32_t code) { return is_any_of(code, U"\"')]}»”’」』）"); }

bool is_number(char32_t code) { return major_category(code) == 'N'; }

class Splitter {
 public:
  explicit Splitter(std::string_view text) : text_(text) {
    for (const Character& character : Characters(text)) characters_.push_back(character);
  }

  std::vector<ByteRange> ranges() {
    std::size_t begin = 0;
    for (std::size_t i = 0; i < characters_.size(); ++i) {
      const std::size_t mark = i;
      if (!ends_anywhere(code(i)) && !ends_before_space(code(i))) continue;
      while (i + 1 < characters_.size() && (is_mark(i + 1) || closes(code(i + 1)))) ++i;
      if (!is_end(mark, i)) continue;
      add(begin, i + 1);
      begin = i + 1;
    }
    add(begin, characters_.size());
    return std::move(ranges_);
  }

 private:
  char32_t code(std::size_t i) const { return characters_[i].code; }
  bool is_mark(std::size_t i) const { return ends_anywhere(code(i)) || ends_before_space(code(i)); }

  // Whether a sentence ends with the marks and closing brackets in [mark, last].
  bool is_end(std::size_t mark, std::size_t last) const {
    for (std::size_t i = mark; i <= last; ++i) {
      if (ends_anywhere(code(i))) return true;
    }
    std::size_t next = last + 1;
    if (next == characters_.size()) return true;
    if (!is_space(code(next))) return false;
    while (next < characters_.size() && is_space(code(next))) ++next;
    if (next == characters_.size()) return true;
    if (is_small_letter(code(next))) return false;
    return code(mark) != U'.' || mark != last || !belongs_to_word(mark, next);
  }

  // Whether the dot belongs to an abbreviation, an initial or the number of a paragraph.
  bool belongs_to_word(std::size_t dot, std::size_t next) const {
    std::size_t begin = dot;
    while (begin > 0 && !is_space(code(begin - 1)) && !closes(code(begin - 1)) &&
           !is_any_of(code(begin - 1), U"([{«“‘"))
      --begin;
    if (begin == dot) return false;
    const std::string word = lowercase(part(text_, {characters_[begin].begin, characters_[dot].begin}));
    if (std::ranges::find(kAbbreviations, word) != kAbbreviations.end()) {
      return word != "no" || is_number(code(next));  // "No." is an answer, "No. 5" a number
    }
    if (dot - begin == 1 && major_category(code(begin)) == 'L') return true;
    const bool numeral = std::ranges::all_of(std::span(characters_).subspan(begin, dot - begin),
                                             [](const Character& one) { return is_number(one.code); });
    return numeral && begin == 0;
  }

  void add(std::size_t begin, std::size_t end) {
    while (begin < end && is_space(code(begin))) ++begin;
    while (begin < end && is_space(code(end - 1))) --end;
    if (begin < end) ranges_.push_back({characters_[begin].begin, characters_[end - 1].end});
  }

  std::string_view text_;
  std::vector<Character> characters_;
  std::vector<ByteRange> ranges_;
};

}  // namespace

std::vector<ByteRange> sentence_ranges(std::string_view text) { return Splitter(text).ranges(); }

std::string joined_sentences(std::string_view first, std::string_view second) {
  if (first.empty() || second.empty()) return std::string(first.empty() ? second : first);
  const char32_t last = to_utf32(first).back();
  const bool wide = is_any_of(last, U"。！？．」』）");
  return std::string(first) + (wide ? "" : " ") + std::string(second);
}

}  // namespace dhyan
