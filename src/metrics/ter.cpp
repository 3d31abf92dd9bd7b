#include "metrics/ter.h"

#include <algorithm>

#include "core/error.h"
#include "metrics/mteval_rules.h"
#include "metrics/shifts.h"
#include "text/lowercase.h"
#include "text/unicode.h"

namespace dhyan {

namespace {

bool is_between(char32_t code, char32_t first, char32_t last) { return first <= code && code <= last; }

bool is_asian_punctuation(char32_t code) {
  constexpr std::u32string_view kOthers = U"\u3001\u3002\u30FB\uFF0E\uFF0C\uFF1F\uFF1A\uFF1B\uFF01\uFF02\uFF08\uFF09";
  return is_between(code, 0x3008, 0x3011) || is_between(code, 0x3014, 0x301F) || is_between(code, 0xFF61, 0xFF65) ||
         kOthers.find(code) != kOthers.npos;
}

// Ideographs, radicals, strokes and compositions of them; not kana.
bool is_ideograph(char32_t code) {
  return is_between(code, 0x4E00, 0x9FFF) || is_between(code, 0x3200, 0x4DBF) || is_between(code, 0x31C0, 0x31EF) ||
         is_between(code, 0x2E80, 0x2EFF) || is_between(code, 0xF900, 0xFAFF) || is_between(code, 0xFE30, 0xFE4F);
}

std::u32string normalized(std::u32string_view line, bool asian) {
  std::u32string text(line);
  replace_all(text, U"\n-", U"");
  replace_all(text, U"\n", U" ");
  unescape_xml(text);
  text = separate_ascii_symbols(U" " + text + U" ");
  replace_all(text, U"'s ", U" 's ");
  text = separate_points(text);
  if (!asian) return text;
  return separate_each(text, [](char32_t code) { return is_ideograph(code) || is_asian_punctuation(code); });
}

std::u32string without_punctuation(std::u32string text, bool asian) {
  constexpr std::u32string_view kPunctuation = U".,?:;!\"()";
  std::erase_if(text, [&](char32_t code) {
    return kPunctuation.find(code) != kPunctuation.npos || (asian && is_asian_punctuation(code));
  });
  return text;
}

const char* yes_or_no(bool value) { return value ? "yes" : "no"; }

}  // namespace

std::u32string tercom_tokenized(std::string_view line, const TerOptions& options) {
  std::u32string text(without_trailing_blanks(to_utf32(line)));
  if (!options.case_sensitive) text = lowercase(text);
  if (options.normalized) text = normalized(text, options.asian_support);
  if (options.no_punct) text = without_punctuation(std::move(text), options.asian_support);
  return text;
}

std::string Ter::settings() const {
  return cat("case:", options_.case_sensitive ? "mixed" : "lc", "|tok:tercom|norm:", yes_or_no(options_.normalized),
             "|punct:", yes_or_no(!options_.no_punct), "|asian:", yes_or_no(options_.asian_support));
}

Counts Ter::counts(std::string_view hypothesis, std::span<const std::string> references) const {
  std::vector<std::u32string> texts{tercom_tokenized(hypothesis, options_)};
  for (const std::string& reference : references) texts.push_back(tercom_tokenized(reference, options_));
  WordNumbers numbers;
  const Symbols words = numbers(split_words(texts.front()));
  Index fewest = -1, lengths = 0;
  for (const std::u32string& text : std::span(texts).subspan(1)) {
    const Symbols reference = numbers(split_words(text));
    const Index edits = edits_with_shifts(words, reference);
    if (fewest < 0 || edits < fewest) fewest = edits;
    lengths += std::ssize(reference);
  }
  return {static_cast<double>(fewest), static_cast<double>(lengths) / static_cast<double>(references.size())};
}

double Ter::score(const Counts& sums) const {
  const double edits = sums[0], length = sums[1];
  if (length > 0) return 100 * (edits / length);
  return edits > 0 ? 100 : 0;
}

}  // namespace dhyan
