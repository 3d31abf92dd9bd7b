#pragma once

#include "text/vocabulary_tokenizer.h"

namespace dhyan {

// Words in NFC, separated by spaces (is_space). A word outside the vocabulary is <unk>. decode puts one space between
// words: it restores the NFC form of a line with known words and single spaces.
class WordTokenizer final : public VocabularyTokenizer {
 public:
  static constexpr std::string_view kKind = "word";

  explicit WordTokenizer(Vocabulary vocabulary) : VocabularyTokenizer(kKind, std::move(vocabulary)) {}

  // Adds the words of a line to the counts a vocabulary is made from.
  static void count(std::string_view line, TokenCounts& counts);

  Encoded encode(std::string_view line) const override;
  std::string decode(std::span<const TokenId> ids) const override;
  bool cuts_at_spaces_only() const override { return true; }
};

// The ranges of the words in a line.
std::vector<ByteRange> word_ranges(std::string_view line);

}  // namespace dhyan
