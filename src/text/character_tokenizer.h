#pragma once

#include "text/vocabulary_tokenizer.h"

namespace dhyan {

// One token a code point of the line's NFC form, spaces among them. Not one a cluster: there are some fifty Devanagari
// letters and marks but thousands of clusters. What is shown to a person is put together by text/graphemes.h.
// decode gives the NFC form of the line back exactly, if all of its characters are known.
class CharacterTokenizer final : public VocabularyTokenizer {
 public:
  static constexpr std::string_view kKind = "char";

  explicit CharacterTokenizer(Vocabulary vocabulary) : VocabularyTokenizer(kKind, std::move(vocabulary)) {}

  // Adds the characters of a line to the counts a vocabulary is made from.
  static void count(std::string_view line, TokenCounts& counts);

  Encoded encode(std::string_view line) const override;

  // <unk> becomes U+FFFD, one character for one.
  std::string decode(std::span<const TokenId> ids) const override;
};

}  // namespace dhyan
