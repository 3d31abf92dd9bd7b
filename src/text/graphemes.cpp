#include "text/graphemes.h"

#include <algorithm>
#include <array>
#include <utf8proc.h>

#include "text/unicode.h"

namespace dhyan {

namespace {

constexpr char32_t kZeroWidthJoiner = 0x200D;

// The scripts whose virama joins the consonants around it: Devanagari, Bengali, Gurmukhi, Gujarati, Oriya, Telugu,
// Kannada, Malayalam. A script's letters lie in the same 128 code points as its virama.
bool is_virama(char32_t code) {
  constexpr std::array<char32_t, 8> kViramas = {0x94D, 0x9CD, 0xA4D, 0xACD, 0xB4D, 0xC4D, 0xCCD, 0xD4D};
  return std::find(kViramas.begin(), kViramas.end(), code) != kViramas.end();
}

bool is_other_letter(char32_t code) {
  return utf8proc_category(static_cast<utf8proc_int32_t>(code)) == UTF8PROC_CATEGORY_LO;
}

// Iterates over a text and finds the characters that begin a cluster.
class Breaks {
 public:
  bool before(char32_t next) {
    const bool first = !started_;
    const bool breaks = first || utf8proc_grapheme_break_stateful(static_cast<utf8proc_int32_t>(last_),
                                                                  static_cast<utf8proc_int32_t>(next), &state_) != 0;
    const bool conjunct = virama_ != 0 && is_other_letter(next) && next / 128 == virama_ / 128;
    started_ = true;
    last_ = next;
    // Only joiners and further marks of the cluster may stand between a virama and its consonant.
    if (is_virama(next)) {
      virama_ = next;
    } else if (breaks || (next != kZeroWidthJoiner &&
                          utf8proc_get_property(static_cast<utf8proc_int32_t>(next))->combining_class == 0)) {
      virama_ = 0;
    }
    return breaks && !conjunct;
  }

 private:
  bool started_ = false;
  char32_t last_ = 0;
  char32_t virama_ = 0;  // the virama that joins the next consonant; 0: none
  utf8proc_int32_t state_ = 0;
};

}  // namespace

std::vector<ByteRange> clusters(std::string_view text) {
  std::vector<ByteRange> found;
  Breaks breaks;
  for (const Character& character : Characters(text)) {
    if (breaks.before(character.code)) {
      found.push_back({character.begin, character.end});
    } else {
      found.back().end = character.end;
    }
  }
  return found;
}

}  // namespace dhyan
