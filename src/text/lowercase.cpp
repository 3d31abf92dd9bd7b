#include "text/lowercase.h"

#include <algorithm>
#include <array>
#include <utf8proc.h>

#include "text/unicode.h"

namespace dhyan {

namespace {

utf8proc_category_t category_of(char32_t code) { return utf8proc_category(static_cast<utf8proc_int32_t>(code)); }

struct CodeRange {
  char32_t first, last;
};

template <std::size_t N>
bool lies_in(const std::array<CodeRange, N>& ranges, char32_t code) {
  return std::ranges::any_of(ranges, [&](const CodeRange& range) { return range.first <= code && code <= range.last; });
}

// The property Cased: letters that have case, and the few numerals and symbols made of such letters.
bool is_cased(char32_t code) {
  constexpr std::array<CodeRange, 7> kOthers{{{0xAA, 0xAA},
                                              {0xBA, 0xBA},
                                              {0x2160, 0x217F},
                                              {0x24B6, 0x24E9},
                                              {0x1F130, 0x1F149},
                                              {0x1F150, 0x1F169},
                                              {0x1F170, 0x1F189}}};
  const utf8proc_category_t category = category_of(code);
  return category == UTF8PROC_CATEGORY_LU || category == UTF8PROC_CATEGORY_LL || category == UTF8PROC_CATEGORY_LT ||
         lies_in(kOthers, code);
}

// The property Case_Ignorable: marks, modifiers, formats, and punctuation that may stand inside of a word.
bool is_case_ignorable(char32_t code) {
  constexpr std::u32string_view kInsideWords =
      U"'.:\u00B7\u0387\u055F\u05F4\u2018\u2019\u2024\u2027\uFE13\uFE52\uFE55\uFF07\uFF0E\uFF1A";
  switch (category_of(code)) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_SK:
      return true;
    default:
      return kInsideWords.find(code) != kInsideWords.npos;
  }
}

// Unicode table 3-17, Final_Sigma: a cased letter before it and none after it, ignorable characters aside.
bool ends_a_word(std::u32string_view text, std::size_t at) {
  const std::u32string_view before = text.substr(0, at), after = text.substr(at + 1);
  const auto last = std::find_if_not(before.rbegin(), before.rend(), is_case_ignorable);
  const auto next = std::find_if_not(after.begin(), after.end(), is_case_ignorable);
  return last != before.rend() && is_cased(*last) && (next == after.end() || !is_cased(*next));
}

}  // namespace

std::u32string lowercase(std::u32string_view text) {
  constexpr char32_t kCapitalSigma = U'Σ', kCapitalDottedI = U'İ';
  std::u32string small;
  small.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char32_t code = text[i];
    if (code == kCapitalSigma) {
      small += ends_a_word(text, i) ? U'ς' : U'σ';
    } else if (code == kCapitalDottedI) {
      small += U"i\u0307";
    } else {
      small += static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(code)));
    }
  }
  return small;
}

std::string lowercase(std::string_view text) { return to_utf8(lowercase(to_utf32(text))); }

}  // namespace dhyan
