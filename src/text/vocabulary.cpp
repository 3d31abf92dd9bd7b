#include "text/vocabulary.h"

#include <algorithm>
#include <sstream>

#include "core/error.h"
#include "core/file.h"
#include "text/unicode.h"

namespace dhyan {

bool is_special_token(std::string_view token) {
  return std::find(kSpecialTokens.begin(), kSpecialTokens.end(), token) != kSpecialTokens.end();
}

Vocabulary::Vocabulary() : tokens_(kSpecialTokens.begin(), kSpecialTokens.end()) {}

bool Vocabulary::add(std::string_view token) {
  if (is_special_token(token)) return false;
  if (!ids_.emplace(token, static_cast<TokenId>(tokens_.size())).second) return false;
  tokens_.emplace_back(token);
  return true;
}

Vocabulary Vocabulary::from_counts(const TokenCounts& counts, const VocabularyLimits& limits) {
  const auto specials = static_cast<Index>(kSpecialTokens.size());
  if (limits.max_size < specials || limits.max_size > kMaxSize) {
    throw ConfigError(cat("vocabulary: the size is ", limits.max_size, ", expected ", specials, " to ", kMaxSize));
  }
  std::vector<std::pair<std::uint64_t, std::string_view>> ranked;
  for (const auto& [token, count] : counts) {
    if (count >= limits.min_count && !token.empty() && token.size() <= kLongestToken) ranked.emplace_back(count, token);
  }
  std::sort(ranked.begin(), ranked.end(),
            [](const auto& a, const auto& b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
  Vocabulary vocabulary;
  for (const auto& [count, token] : ranked) {
    if (vocabulary.size() == limits.max_size) break;
    vocabulary.add(token);
  }
  return vocabulary;
}

Vocabulary Vocabulary::load(const std::filesystem::path& path) {
  const MappedFile file(path);
  Vocabulary read = parse(path.string(), {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()});
  file.expect_unchanged();
  return read;
}

Vocabulary Vocabulary::parse(std::string_view where, std::string_view file) {
  Vocabulary vocabulary;
  Index line_number = 0;
  while (!file.empty()) {
    ++line_number;
    const auto fail = [&](const auto&... what) { throw ModelFileError(cat(where, ":", line_number, ": ", what...)); };
    const std::size_t end = file.find('\n');
    if (end == std::string_view::npos) fail("the last line has no line end; the file is truncated");
    if (end > kLongestToken) fail("a token of ", end, " bytes, expected at most ", kLongestToken);
    if (line_number > kMaxSize) fail("more than ", kMaxSize, " tokens");
    const std::string_view line = file.substr(0, end);
    file.remove_prefix(end + 1);

    if (const auto bad = first_bad_byte(line)) fail("byte ", *bad + 1, " is not UTF-8");
    if (line_number <= static_cast<Index>(kSpecialTokens.size())) {
      const std::string_view expected = kSpecialTokens[static_cast<std::size_t>(line_number - 1)];
      if (line != expected) fail("'", escape_token(line), "', expected the special token ", expected);
      continue;
    }
    const std::optional<std::string> token = unescape_token(line);
    if (!token) fail("'", line, "' has an escape that is none of \\\\ \\s \\t \\n \\r \\u{HEX}");
    if (token->empty()) fail("the line is empty, expected a token");
    if (is_special_token(*token)) fail("the special token ", *token, " occurs again");
    if (!vocabulary.add(*token)) {
      fail("'", line, "' occurs again; it has id ", vocabulary.id(*token), " (line ", vocabulary.id(*token) + 1, ")");
    }
  }
  if (line_number < static_cast<Index>(kSpecialTokens.size())) {
    throw ModelFileError(
        cat(where, ": ", line_number, " lines, expected the special tokens <pad> <unk> <s> </s> first"));
  }
  return vocabulary;
}

std::string Vocabulary::file() const {
  std::string text;
  for (const std::string& token : tokens_) text.append(escape_token(token)) += '\n';
  return text;
}

void Vocabulary::save(const std::filesystem::path& path) const {
  AtomicFile out(path);
  out.write(file());
  out.commit();
}

TokenId Vocabulary::id(std::string_view token) const {
  const auto found = ids_.find(token);
  return found == ids_.end() ? kUnknown : found->second;
}

const std::string& Vocabulary::token(TokenId id) const {
  if (id < 0 || id >= size()) throw UsageError(cat("vocabulary: there is no token ", id, " among ", size()));
  return tokens_[static_cast<std::size_t>(id)];
}

std::uint64_t Vocabulary::fingerprint() const { return hash_bytes(file()); }

std::string escape_token(std::string_view token) {
  const bool alone = count_characters(token) == 1;
  const auto joins = [&](char32_t code) { return !alone && (code == 0x200C || code == 0x200D); };
  std::string line;
  for (const Character& character : Characters(token)) {
    switch (character.code) {
      case '\\':
        line += "\\\\";
        break;
      case ' ':
        line += "\\s";
        break;
      case '\t':
        line += "\\t";
        break;
      case '\n':
        line += "\\n";
        break;
      case '\r':
        line += "\\r";
        break;
      default:
        if (is_invisible(character.code) && !joins(character.code)) {
          std::ostringstream hex;
          hex << std::hex << std::uppercase << static_cast<std::uint32_t>(character.code);
          line += cat("\\u{", hex.str(), "}");
        } else {
          append_utf8(line, character.code);
        }
    }
  }
  return line;
}

namespace {

// Removes "HEX}" from the front and returns the code point; empty unless HEX is one to six digits of a code point.
std::optional<char32_t> take_hex(std::string_view& rest) {
  const std::size_t close = rest.find('}');
  if (close == std::string_view::npos || close == 0 || close > 6) return std::nullopt;
  char32_t code = 0;
  for (const char digit : rest.substr(0, close)) {
    const bool number = digit >= '0' && digit <= '9', letter = digit >= 'A' && digit <= 'F';
    if (!number && !letter) return std::nullopt;
    code = code * 16 + static_cast<char32_t>(number ? digit - '0' : digit - 'A' + 10);
  }
  if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return std::nullopt;
  rest.remove_prefix(close + 1);
  return code;
}

}  // namespace

std::optional<std::string> unescape_token(std::string_view line) {
  std::string token;
  while (!line.empty()) {
    const char first = line.front();
    line.remove_prefix(1);
    if (first != '\\') {
      token += first;
      continue;
    }
    if (line.empty()) return std::nullopt;
    const char kind = line.front();
    line.remove_prefix(1);
    if (kind == 'u') {
      if (!line.starts_with('{')) return std::nullopt;
      line.remove_prefix(1);
      const std::optional<char32_t> code = take_hex(line);
      if (!code) return std::nullopt;
      append_utf8(token, *code);
      continue;
    }
    constexpr std::string_view kKinds = "\\stnr", kMeanings = "\\ \t\n\r";
    const std::size_t meaning = kKinds.find(kind);
    if (meaning == std::string_view::npos) return std::nullopt;
    token += kMeanings[meaning];
  }
  return token;
}

}  // namespace dhyan
