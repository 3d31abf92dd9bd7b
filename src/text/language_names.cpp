#include "text/language_names.h"

#include <algorithm>

#include "core/error.h"
#include "text/language_table.h"

namespace dhyan {

namespace {

bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }
char small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
char capital(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

// "en-us" for "EN_US".
std::string plain(std::string_view code) {
  std::string text(code);
  std::ranges::transform(text, text.begin(), [](char c) { return c == '_' ? '-' : small(c); });
  return text;
}

std::string_view first_part(std::string_view code) { return code.substr(0, code.find_first_of("-_")); }

template <class Table>
std::string_view name_in(const Table& table, std::string_view code) {
  const auto found = std::ranges::find(table, code, &LanguageName::code);
  return found == table.end() ? std::string_view() : found->name;
}

}  // namespace

std::string usual_spelling(std::string_view code) {
  std::string text = plain(code);
  for (std::size_t hyphen = text.find('-'); hyphen != text.npos;) {
    const std::size_t begin = hyphen + 1;
    hyphen = text.find('-', begin);
    const std::size_t length = std::min(hyphen, text.size()) - begin;
    const std::size_t capitals = length == 2 ? 2 : length == 4 ? 1 : 0;  // a region, a script
    for (std::size_t i = begin; i < begin + capitals; ++i) text[i] = capital(text[i]);
  }
  return text;
}

std::string language_name(std::string_view code) {
  const std::string spelling = usual_spelling(code);
  if (const std::string_view name = name_in(kLanguageVariants, spelling); !name.empty()) return std::string(name);
  const std::string_view language = first_part(spelling);
  const std::string_view name = name_in(kLanguageNames, language);
  if (name.empty()) return std::string(code);
  if (language.size() == spelling.size()) return std::string(name);
  return cat(name, " (", spelling.substr(language.size() + 1), ")");
}

bool is_known_language(std::string_view code) {
  return is_language_code(code) && !name_in(kLanguageNames, first_part(plain(code))).empty();
}

bool is_language_code(std::string_view text) {
  constexpr std::size_t kLongestPart = 8, kLongestCode = 35;
  const std::string_view language = first_part(text);
  if (language.size() < 2 || language.size() > kLongestPart || text.size() > kLongestCode) return false;
  if (!std::ranges::all_of(language, is_ascii_letter)) return false;
  text.remove_prefix(language.size());
  while (!text.empty()) {
    text.remove_prefix(1);
    const std::string_view part = first_part(text);
    if (part.empty() || part.size() > kLongestPart) return false;
    if (!std::ranges::all_of(part, [](char c) { return is_ascii_letter(c) || is_ascii_digit(c); })) return false;
    text.remove_prefix(part.size());
  }
  return true;
}

std::optional<std::string> matching_language(std::string_view asked, std::span<const std::string> available) {
  const std::string wanted = plain(asked);
  if (wanted.empty()) return std::nullopt;
  for (std::size_t length = wanted.size(); length != wanted.npos; length = wanted.rfind('-', length - 1)) {
    if (length == 0) break;
    const std::string_view shorter = std::string_view(wanted).substr(0, length);
    const auto same = std::ranges::find_if(available, [&](const std::string& code) { return plain(code) == shorter; });
    if (same != available.end()) return *same;
  }
  const auto longer = std::ranges::find_if(
      available, [&](const std::string& code) { return plain(code).starts_with(cat(wanted, '-')); });
  return longer == available.end() ? std::nullopt : std::optional(*longer);
}

}  // namespace dhyan
