#include "metrics/bleu_tokenizers.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/table.h"
#include "metrics/mteval_rules.h"
#include "metrics/words.h"
#include "text/unicode.h"

namespace dhyan {

namespace {

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
  unescape_xml(text);
  return separate_points(separate_ascii_symbols(text));
}

// The ranges of sacreBLEU. Those that begin with U+2001 and U+2F81 should be extensions beyond U+FFFF, but equal scores
// need equal ranges.
bool is_chinese(char32_t code) {
  constexpr std::array<std::pair<char32_t, char32_t>, 21> kRanges{
      {{0x3400, 0x4DB5}, {0x4E00, 0x9FBB}, {0xF900, 0xFA2D}, {0xFA30, 0xFA6A}, {0xFA70, 0xFAD9}, {0x2001, 0x2A6D},
       {0x2F81, 0x2FA1}, {0xFF00, 0xFFEF}, {0x2E80, 0x2EFF}, {0x3000, 0x303F}, {0x31C0, 0x31EF}, {0x2F00, 0x2FDF},
       {0x2FF0, 0x2FFF}, {0x3100, 0x312F}, {0x31A0, 0x31BF}, {0xFE10, 0xFE1F}, {0xFE30, 0xFE4F}, {0x2600, 0x26FF},
       {0x2700, 0x27BF}, {0x3200, 0x32FF}, {0x3300, 0x33FF}}};
  return std::ranges::any_of(kRanges, [&](const auto& range) { return range.first <= code && code <= range.second; });
}

// Splits every Chinese character, and the rest as 13a does, except entities and the blanks around the line.
std::u32string separate_chinese(std::u32string_view line) {
  while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
  return separate_points(separate_ascii_symbols(separate_each(line, is_chinese)));
}

// mteval-v14.pl with --international-tokenization. As there, a point between a number and the end of the line is not
// split off. Categories are those of utf8proc's Unicode, 14 in Debian 12: newer characters have none and are not split.
// Those of sacreBLEU depend on its regex module in the same way.
std::u32string separate_international(std::u32string_view line) {
  std::u32string text = separate_neighbours(line, is_no_number, is_punctuation, Blanks::kAroundSecond);
  text = separate_neighbours(text, is_punctuation, is_no_number, Blanks::kAroundFirst);
  return separate_each(text, is_symbol);
}

constexpr std::array<BleuTokenizer, 5> kTokenizers{{
    {"13a", "splits off ASCII punctuation, as WMT does; for most languages", separate_13a},
    {"intl", "splits off punctuation and symbols of all scripts", separate_international},
    {"zh", "splits Chinese characters, the rest as 13a", separate_chinese},
    {"char", "splits every character", separate_characters},
    {"none", "splits at whitespace only; for text that is already tokenised", separate_none},
}};

}  // namespace

std::span<const BleuTokenizer> bleu_tokenizers() { return kTokenizers; }

const BleuTokenizer& bleu_tokenizer(std::string_view name) { return entry_named("tokenize", bleu_tokenizers(), name); }

}  // namespace dhyan
