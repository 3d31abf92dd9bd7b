#include "text/word_boundary.h"

#include <algorithm>
#include <array>

#include "text/scripts.h"
#include "text/unicode.h"

namespace dhyan {

namespace {

constexpr char32_t kReplacement = 0xFFFD;  // an incomplete character decodes to it

bool has_no_blanks(char32_t code) {
  constexpr std::array kScripts{Script::kHan,   Script::kKana,    Script::kThai,   Script::kLao,
                                Script::kKhmer, Script::kMyanmar, Script::kTibetan};
  return std::ranges::find(kScripts, script_of(code)) != kScripts.end();
}

bool is_mark_of_letter(char32_t code) { return major_category(code) == 'M'; }

bool is_part_of_word(char32_t code) {
  const char category = major_category(code);
  return category == 'L' || category == 'M' || category == 'N';
}

// A token to append others to: its text is known and does not end in a blank.
TokenId token_with_text(const Tokenizer& tokenizer) {
  for (auto id = static_cast<TokenId>(kSpecialTokens.size()); id < tokenizer.size(); ++id) {
    const std::string text = tokenizer.is_byte(id) ? "" : tokenizer.decode({&id, 1});
    if (!text.empty() && is_part_of_word(to_utf32(text).back())) return id;
  }
  return kEnd;
}

}  // namespace

WordBoundary::WordBoundary(const Tokenizer& tokenizer) {
  std::array<TokenId, 2> two{token_with_text(tokenizer)};
  const std::string before = tokenizer.decode(std::span(two).first(1));
  for (auto id = static_cast<TokenId>(kSpecialTokens.size()); id < tokenizer.size(); ++id) {
    two.back() = id;
    const std::string text = tokenizer.decode(two);
    if (!text.starts_with(before) || text.size() == before.size()) continue;  // a blank
    const char32_t first = (*Characters(std::string_view(text).substr(before.size())).begin()).code;
    const bool is_letter = (is_part_of_word(first) && !has_no_blanks(first)) || first == kReplacement;
    if (is_mark_of_letter(first)) marks_.push_back(id);
    if (is_mark_of_letter(first) || is_letter) all_.push_back(id);
  }
}

std::span<const TokenId> WordBoundary::continuing(std::string_view text) const {
  if (text.empty()) return {};
  const char32_t last = to_utf32(text).back();
  if (!is_part_of_word(last)) return {};
  return has_no_blanks(last) ? marks_ : all_;
}

}  // namespace dhyan
