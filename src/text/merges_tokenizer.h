#pragma once

#include "text/pair_merges.h"
#include "text/tokenizer_training.h"
#include "text/vocabulary_tokenizer.h"

namespace dhyan {

// The common part of tokenizers that have a vocabulary and merges.
class MergesTokenizer : public VocabularyTokenizer {
 public:
  std::uint64_t fingerprint() const override {
    const std::uint64_t own = VocabularyTokenizer::fingerprint(), merges = merges_.fingerprint();
    return hash_bytes({reinterpret_cast<const char*>(&merges), sizeof merges}, own);
  }
  void save(const std::filesystem::path& folder, std::string_view side) const override {
    VocabularyTokenizer::save(folder, side);
    merges_.save(merges_path(folder, side));
  }

 protected:
  MergesTokenizer(std::string_view kind, Vocabulary vocabulary, PairMerges merges)
      : VocabularyTokenizer(kind, std::move(vocabulary)), merges_(std::move(merges)) {}
  const PairMerges& merges() const { return merges_; }

 private:
  PairMerges merges_;
};

// The tokenizer of subword-nmt ([sennrich2016]): words between spaces, whose characters are merged; a piece that does
// not end its word ends with "@@". Lines are not normalised. decode puts one space between words.
class SubwordNmtTokenizer final : public MergesTokenizer {
 public:
  static constexpr std::string_view kKind = "subword-nmt";

  SubwordNmtTokenizer(Vocabulary vocabulary, PairMerges merges)
      : MergesTokenizer(kKind, std::move(vocabulary), std::move(merges)) {}
  static TrainedTokenizer train(const LineSource& lines, const TokenizerOptions& options);

  Encoded encode(std::string_view line) const override;
  std::string decode(std::span<const TokenId> ids) const override;
};

// GPT-2's byte-level BPE ([radford2019]): a line is cut into words, numbers, punctuation and spaces, and the bytes of
// each are merged. Nothing is unknown if the vocabulary has all bytes; decode restores the line. Pieces spell a byte
// that is no printable character of Latin-1 by another letter: "Ġ" is a space.
class ByteBpeTokenizer final : public MergesTokenizer {
 public:
  static constexpr std::string_view kKind = "byte-bpe";

  ByteBpeTokenizer(Vocabulary vocabulary, PairMerges merges);
  static TrainedTokenizer train(const LineSource& lines, const TokenizerOptions& options);

  Encoded encode(std::string_view text) const override;
  std::string decode(std::span<const TokenId> ids) const override;

  // Pieces of whole characters as text; a space at the beginning is "Ġ".
  std::string_view piece(TokenId id) const override;
  TokenId line_end() const override { return line_end_; }

 private:
  std::vector<std::string> shown_;
  TokenId line_end_;
};

// The ranges of a text that byte-level BPE merges separately, by GPT-2's rule:
// 's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
std::vector<ByteRange> gpt2_words(std::string_view text);

}  // namespace dhyan
