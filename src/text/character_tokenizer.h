#pragma once

#include "text/vocabulary_tokenizer.h"

namespace dhyan {

// One token per code point of the line's NFC form, spaces included. Not one per cluster: Devanagari has about fifty
// letters and marks but thousands of clusters, which text/graphemes.h joins for display. decode restores the NFC form
// of the line exactly if all its characters are known.
class CharacterTokenizer final : public VocabularyTokenizer {
 public:
  static constexpr std::string_view kKind = "char";

  explicit CharacterTokenizer(Vocabulary vocabulary) : VocabularyTokenizer(kKind, std::move(vocabulary)) {}

  // Adds the characters of a line to the counts a vocabulary is made from.
  static void count(std::string_view line, TokenCounts& counts);

  Encoded encode(std::string_view line) const override;

  // Each <unk> becomes one U+FFFD.
  std::string decode(std::span<const TokenId> ids) const override;
};

}  // namespace dhyan
