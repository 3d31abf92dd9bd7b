#pragma once

#include <optional>

#include "text/sentencepiece_tokenizer.h"
#include "text/vocabulary_tokenizer.h"
#include "text/zipf_segmenter.h"

namespace dhyan {

// The tokenizer of a model of another toolkit: a SentencePiece model cuts the line, and a vocabulary of its own gives
// each piece its id, by the text of the piece. Pieces without an id are <unk>. The vocabulary may have pieces that the
// model never makes, such as those of the other language. Without a SentencePiece model, pieces of the vocabulary are
// chosen by Zipf's law (text/zipf_segmenter.h).
//
// A line may begin with language tokens of the vocabulary, ">>por<< Good morning": each is a token.
class PieceTokenizer final : public VocabularyTokenizer {
 public:
  static constexpr std::string_view kKind = "pieces";

  // `segmenter` may be null.
  PieceTokenizer(Vocabulary vocabulary, std::shared_ptr<const SentencePieceTokenizer> segmenter);
  static std::unique_ptr<PieceTokenizer> load(const std::filesystem::path& folder, std::string_view side);

  Encoded encode(std::string_view line) const override;
  std::string decode(std::span<const TokenId> ids) const override;
  bool is_byte(TokenId id) const override;
  std::uint64_t fingerprint() const override;

  // Writes side.vocab, and side.model if there is a SentencePiece model.
  void save(const std::filesystem::path& folder, std::string_view side) const override;

  const SentencePieceTokenizer* segmenter() const { return segmenter_.get(); }

 private:
  std::shared_ptr<const SentencePieceTokenizer> segmenter_;
  std::vector<TokenId> ours_;                  // by the ids of the segmenter
  std::optional<ZipfSegmenter> by_frequency_;  // without a segmenter
};

}  // namespace dhyan
