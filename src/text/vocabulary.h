#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/tokenizer.h"

namespace dhyan {

// Hashes tokens, so that a map can be searched by string_view.
struct TokenHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view token) const { return std::hash<std::string_view>()(token); }
};

template <class T>
using TokenMap = std::unordered_map<std::string, T, TokenHash, std::equal_to<>>;

using TokenCounts = TokenMap<std::uint64_t>;

struct VocabularyLimits {
  Index max_size = 32'000;      // with the four special tokens
  std::uint64_t min_count = 1;  // rarer tokens become <unk>
};

// Tokens and their ids. The file has one token per line, line i + 1 for id i; the first four are
//   <pad> <unk> <s> </s>
// In it a backslash is written \\, space \s, tab \t, newline \n, carriage return \r, and any other white space,
// control or format character \u{HEX} (but joiners inside of a longer token stand as they are: Devanagari is spelled
// with them). UTF-8; every line ends with a newline.
class Vocabulary {
 public:
  static constexpr Index kMaxSize = 16'777'216;  // the largest file accepted, in tokens
  static constexpr std::size_t kLongestToken = 65'536;

  // The most frequent tokens first, ties by bytes, so that the order of the text does not matter. Skips tokens that are
  // spelled like a special token, which text cannot contain.
  static Vocabulary from_counts(const TokenCounts& counts, const VocabularyLimits& limits = {});

  // Throws ModelFileError, naming file and line, for a duplicate token, a missing or misplaced special token, an empty
  // line, bytes that are not UTF-8, an invalid escape, or a last line without line end.
  static Vocabulary load(const std::filesystem::path& path);
  static Vocabulary parse(std::string_view where, std::string_view file);

  void save(const std::filesystem::path& path) const;
  std::string file() const;

  Index size() const { return static_cast<Index>(tokens_.size()); }

  // kUnknown for a missing token and for the spelling of a special one.
  TokenId id(std::string_view token) const;

  // Throws UsageError for an id outside [0, size()).
  const std::string& token(TokenId id) const;

  std::uint64_t fingerprint() const;

 private:
  Vocabulary();
  bool add(std::string_view token);  // false if it exists already

  std::vector<std::string> tokens_;
  TokenMap<TokenId> ids_;  // without the special tokens
};

// A token as one line of a vocabulary file, and back; empty if an escape is invalid.
std::string escape_token(std::string_view token);
std::optional<std::string> unescape_token(std::string_view line);

bool is_special_token(std::string_view token);

}  // namespace dhyan
