#include "interop/marian_vocabulary.h"

#include <algorithm>
#include <optional>

#include "core/error.h"
#include "core/number_text.h"
#include "core/real.h"
#include "text/unicode.h"
#include "text/vocabulary.h"

namespace dhyan {

namespace {

std::optional<char32_t> take_digits(std::string_view& rest, std::size_t count) {
  if (rest.size() < count) return std::nullopt;
  char32_t code = 0;
  for (const char c : rest.substr(0, count)) {
    const bool number = c >= '0' && c <= '9', small = c >= 'a' && c <= 'f', large = c >= 'A' && c <= 'F';
    if (!number && !small && !large) return std::nullopt;
    code = code * 16 + static_cast<char32_t>(number ? c - '0' : small ? c - 'a' + 10 : c - 'A' + 10);
  }
  rest.remove_prefix(count);
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  return code > 0x10FFFF || surrogate ? std::nullopt : std::optional(code);
}

// The inside of double quotes; empty if an escape is invalid.
std::optional<std::string> without_escapes(std::string_view rest) {
  constexpr std::string_view kKinds = "0abtnvfre\"/\\N_ ";
  constexpr char32_t kMeanings[] = {0, 7, 8, 9, 10, 11, 12, 13, 27, '"', '/', '\\', 0x85, 0xA0, ' '};
  std::string text;
  while (!rest.empty()) {
    const char first = rest.front();
    rest.remove_prefix(1);
    if (first != '\\') {
      text += first;
      continue;
    }
    if (rest.empty()) return std::nullopt;
    const char kind = rest.front();
    rest.remove_prefix(1);
    if (const std::size_t at = kKinds.find(kind); at != kKinds.npos) {
      append_utf8(text, kMeanings[at]);
      continue;
    }
    const std::size_t digits = kind == 'x' ? 2 : kind == 'u' ? 4 : kind == 'U' ? 8 : 0;
    const std::optional<char32_t> code = digits > 0 ? take_digits(rest, digits) : std::nullopt;
    if (!code) return std::nullopt;
    append_utf8(text, *code);
  }
  return text;
}

std::optional<std::string> without_quotes(std::string_view token) {
  const bool quoted = token.size() >= 2 && token.front() == token.back();
  if (quoted && token.front() == '"') return without_escapes(token.substr(1, token.size() - 2));
  if (!quoted || token.front() != '\'') return std::string(token);
  std::string text;
  for (std::size_t i = 1; i + 1 < token.size(); ++i) {
    text += token[i];
    if (token[i] == '\'' && i + 2 < token.size() && token[i + 1] == '\'') ++i;
  }
  return text;
}

}  // namespace

std::vector<std::string> parse_marian_vocabulary(std::string_view where, std::string_view text) {
  // Ids may have gaps, but a short file cannot ask for the memory of millions of tokens.
  const Index largest = std::min<Index>(Vocabulary::kMaxSize, 1000 + 8 * std::ranges::count(text, '\n'));
  std::vector<std::string> tokens;
  std::vector<bool> known;
  std::string_view key;  // after "? "; or none
  for (Index line_number = 1; !text.empty(); ++line_number) {
    const auto fail = [&](const auto&... what) { throw ModelFileError(cat(where, ":", line_number, ": ", what...)); };
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || line == "---") continue;
    if (key.empty() && line.starts_with("? ")) {
      key = line.substr(2);
      continue;
    }
    const std::size_t colon = line.rfind(':');
    if (colon == line.npos || (!key.empty() && colon != 0)) fail("expected 'token: id'");
    const std::optional<std::string> token = without_quotes(key.empty() ? line.substr(0, colon) : key);
    key = {};
    std::string_view number = line.substr(colon + 1);
    number.remove_prefix(std::min(number.find_first_not_of(' '), number.size()));
    const auto id = parse_number<Index>(number);
    if (!token) fail("an escape is none of YAML");
    if (!id || *id < 0 || *id >= largest) fail("the id is '", number, "', expected a whole number below ", largest);
    const auto place = static_cast<std::size_t>(*id);
    if (place >= tokens.size()) {
      tokens.resize(place + 1);
      known.resize(place + 1);
    }
    if (known[place]) fail("the id ", *id, " occurs again");
    known[place] = true;
    tokens[place] = *token;
  }
  if (tokens.empty()) throw ModelFileError(cat(where, ": has no tokens"));
  return tokens;
}

}  // namespace dhyan
