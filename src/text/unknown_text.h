#pragma once

#include <string>
#include <utility>
#include <vector>

#include "text/tokenizer.h"
#include "text/vocabulary.h"

namespace dhyan {

// Counts text outside a vocabulary: text that became <unk>, and characters that were spelled in bytes. Unknown text is
// counted in characters, or in words if tokens are words.
class UnknownText {
 public:
  // Adds a line, or its beginning, and its tokens.
  void add(const Tokenizer& tokenizer, std::string_view line, const Encoded& encoded);
  void add(const UnknownText& other);

  std::uint64_t tokens() const { return tokens_; }
  std::uint64_t unknown_tokens() const { return unknown_tokens_; }
  std::uint64_t byte_tokens() const { return byte_tokens_; }
  std::uint64_t spelled_characters() const { return spelled_characters_; }

  // The most frequent first, ties by bytes.
  using Entry = std::pair<std::string, std::uint64_t>;
  std::vector<Entry> unknown() const;
  std::vector<Entry> spelled() const;

 private:
  std::uint64_t tokens_ = 0, unknown_tokens_ = 0, byte_tokens_ = 0, spelled_characters_ = 0;
  TokenCounts unknown_, spelled_;
};

// "no <unk>", or "<unk> 12 of 3,456 tokens (0.35 %): W 7, é 5"; and the characters spelled in bytes, if any.
std::string describe(const UnknownText& text);

}  // namespace dhyan
