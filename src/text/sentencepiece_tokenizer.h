#pragma once

#include <memory>
#include <optional>
#include <set>

#include "text/subword_sampler.h"
#include "text/unknown_runs.h"
#include "text/word_cache.h"

namespace sentencepiece {
class SentencePieceProcessor;
}

namespace dhyan {

// A SentencePiece model [kudo2018b], trained by train_sentencepiece() or supplied by the user.
//
// Ids. Ours are fixed for the special tokens; the other pieces follow in the order of the file. A model trained here
// has the same ids. A user's file may lack <pad>, <s> or </s>; the tokenizer adds them.
//
// Text. If all pieces of the model are in NFC, lines are converted to NFC before the model's own normaliser reads them,
// and a tab counts as a space. Otherwise the model was trained on other text and reads lines unchanged. The model
// treats several spaces as one and drops those around a line; decode restores the line except for these spaces and
// unknown characters, and never writes two blanks in a row (text/piece_joiner.h).
//
// Offsets exclude the spaces around a piece. A run of unknown text is one <unk>; with byte fallback it is a sequence of
// bytes, and the last byte of a character has its range.
class SentencePieceTokenizer final : public Tokenizer {
 public:
  static constexpr std::string_view kKind = "sentencepiece";

  // `model` is the content of a `.model` file and `where` its name in messages. Without `sampling`, encode_sampled is
  // encode. Throws ModelFileError if it cannot be used.
  SentencePieceTokenizer(std::string model, std::string_view where, std::optional<SubwordSampling> sampling = {});
  static std::unique_ptr<SentencePieceTokenizer> load(const std::filesystem::path& path,
                                                      std::optional<SubwordSampling> sampling = {});
  ~SentencePieceTokenizer() override;

  Encoded encode(std::string_view line) const override;
  Encoded encode_sampled(std::string_view line, Rng& rng) const override;
  std::string decode(std::span<const TokenId> ids) const override;
  Index size() const override { return static_cast<Index>(pieces_.size()); }
  std::string_view piece(TokenId id) const override;
  bool is_byte(TokenId id) const override;
  std::uint64_t fingerprint() const override { return fingerprint_; }

  // Writes side.model, byte for byte the original model, and side.vocab, a readable list in the order of our ids.
  void save(const std::filesystem::path& folder, std::string_view side) const override;

  void save_model(const std::filesystem::path& folder, std::string_view side) const;  // side.model alone

  SubwordAlgorithm algorithm() const { return algorithm_; }

 private:
  class Line;

  void number_pieces(const SubwordModel& model);
  void prepare_sampling(const SubwordModel& model, std::string_view where, const SubwordSampling& sampling);
  std::vector<Atom> atoms(const Line& line) const;
  Encoded cut_by_library(const Line& given) const;
  std::string decode_by_library(std::span<const TokenId> ids) const;
  bool is_unknown_alone(std::string_view character) const;
  std::optional<ShortenedRuns> shortened_runs(const Line& line) const;
  void append_unknown(std::string_view text, ByteRange original, Encoded& encoded) const;

  std::string model_;
  SubwordAlgorithm algorithm_ = SubwordAlgorithm::kUnigram;
  bool wants_nfc_ = false;
  std::uint64_t fingerprint_ = 0;
  std::vector<std::string> pieces_;  // by our ids
  std::vector<TokenId> ours_;        // by the file's ids
  std::vector<int> theirs_;          // by our ids; -1 for a special token the file does not have
  std::vector<TokenId> bytes_;       // our ids of the 256 bytes; empty without byte fallback
  std::vector<PieceKind> kinds_;     // by our ids
  bool joins_plainly_ = false;       // decoding needs no rules of the library
  std::unique_ptr<const sentencepiece::SentencePieceProcessor> processor_;
  std::optional<SingleCharacters> known_;  // empty with byte fallback, where no text is unknown
  std::unique_ptr<WordCache> words_;       // null if the words of a line are not segmented independently
  std::unique_ptr<const sentencepiece::SentencePieceProcessor> characters_;  // to sample
  std::unique_ptr<const SubwordSampler> sampler_;
  std::set<std::string, std::less<>> symbols_;  // user-defined symbols, which are never split
};

}  // namespace dhyan
