#pragma once

#include "text/bert_words.h"
#include "text/tokenizer_training.h"
#include "text/vocabulary_tokenizer.h"

namespace dhyan {

// BERT's tokenizer ([devlin2019]): words of bert_words(), each cut into the longest pieces of the vocabulary from left
// to right; pieces inside of a word begin with "##". A word that cannot be cut so, or has more than 100 characters, is
// <unk>. decode puts one space between words and none before closing punctuation; case and accents are not restored.
template <BertLetters kLetters>
class WordPieceTokenizer final : public VocabularyTokenizer {
 public:
  static constexpr std::string_view kKind = kLetters == BertLetters::kLowerWithoutAccents ? "wordpiece"
                                            : kLetters == BertLetters::kLower             ? "wordpiece-accents"
                                                                                          : "wordpiece-cased";

  explicit WordPieceTokenizer(Vocabulary vocabulary) : VocabularyTokenizer(kKind, std::move(vocabulary)) {}

  // Pieces that are merged from characters, the most frequent pair first.
  static TrainedTokenizer train(const LineSource& lines, const TokenizerOptions& options);

  Encoded encode(std::string_view line) const override;
  std::string decode(std::span<const TokenId> ids) const override;
  bool cuts_gapped_text_apart() const override { return true; }
};

}  // namespace dhyan
