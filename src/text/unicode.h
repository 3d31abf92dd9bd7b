#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer.h"

namespace dhyan {

// One Unicode code point and the bytes it is written in. In this project a "character" is a code point; a
// user-perceived character is a cluster (text/graphemes.h).
struct Character {
  char32_t code = 0;
  Index begin = 0;
  Index end = 0;
};

bool is_ascii(std::string_view text);

// The position of the first byte that is not part of a well-formed character (Unicode table 3-7: no overlong forms, no
// surrogates, nothing above U+10FFFF); empty if the text is valid UTF-8.
std::optional<Index> first_bad_byte(std::string_view text);

// Throws DataError `where: byte N is not UTF-8 (0xHH)` unless the text is UTF-8. N counts from 1.
void require_utf8(std::string_view text, std::string_view where);

// Replaces each invalid run of bytes by one U+FFFD: the longest prefix of a truncated character, or else a single byte
// (as the Unicode standard recommends and browsers do). `replaced` counts them.
std::string replace_bad_utf8(std::string_view text, Index* replaced = nullptr);

// Iterates over the characters of a line of UTF-8:
//   for (const Character& c : Characters(line)) ...
class Characters {
 public:
  class Iterator {
   public:
    Iterator(std::string_view text, Index at);
    const Character& operator*() const { return current_; }
    const Character* operator->() const { return &current_; }
    Iterator& operator++();
    friend bool operator!=(const Iterator& a, const Iterator& b) { return a.current_.begin != b.current_.begin; }

   private:
    void read(Index at);

    std::string_view text_;
    Character current_;
  };

  explicit Characters(std::string_view text) : text_(text) {}
  Iterator begin() const { return {text_, 0}; }
  Iterator end() const { return {text_, static_cast<Index>(text_.size())}; }

 private:
  std::string_view text_;
};

void append_utf8(std::string& text, char32_t code);

// Converts all characters at once, and back.
std::u32string to_utf32(std::string_view text);
std::string to_utf8(std::u32string_view text);

// The first letter of the general category: L letter, M mark, N number, P punctuation, S symbol, Z separator, C other.
char major_category(char32_t code);

bool is_small_letter(char32_t code);  // category Ll

// Space, tab, line ends and the other White_Space characters at which a line may be broken: not U+00A0, U+2007, U+202F.
bool is_space(char32_t code);

// Whether the character is invisible on its own: white space of any kind, controls, formats.
bool is_invisible(char32_t code);

Index count_characters(std::string_view text);

// The same ranges counted in characters. They must ascend and begin and end at character boundaries; O(line + ranges).
std::vector<ByteRange> in_characters(std::string_view line, const std::vector<ByteRange>& ranges);

}  // namespace dhyan
