#pragma once

#include "text/vocabulary_tokenizer.h"

namespace dhyan {

// Words are what stands between spaces (is_space), in NFC. What the vocabulary does not hold is <unk>. decode puts one
// space between words: a line whose words are known and stand one space apart comes back as its NFC form.
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

// Where the words of a line stand.
std::vector<ByteRange> word_ranges(std::string_view line);

}  // namespace dhyan
