// Instead of SentencePiece: the models inside a page have words as tokens, so that no other tokenizer is made.
#include <filesystem>
#include <memory>
#include <optional>
#include <sentencepiece_processor.h>
#include <span>
#include <string>
#include <string_view>

#include "core/error.h"
#include "text/sentencepiece_tokenizer.h"
#include "text/sentencepiece_trainer.h"

namespace dhyan {

namespace {

[[noreturn]] void refuse(std::string_view where) {
  throw ModelFileError(cat(where, ": a page without a server has no subwords; expected a model with --tokenizer word"));
}

}  // namespace

SentencePieceTokenizer::SentencePieceTokenizer(std::string, std::string_view where, std::optional<SubwordSampling>) {
  refuse(where);
}
std::unique_ptr<SentencePieceTokenizer> SentencePieceTokenizer::load(const std::filesystem::path& path,
                                                                     std::optional<SubwordSampling>) {
  refuse(path.string());
}
SentencePieceTokenizer::~SentencePieceTokenizer() = default;
Encoded SentencePieceTokenizer::encode(std::string_view) const { refuse("encode"); }
Encoded SentencePieceTokenizer::encode_sampled(std::string_view, Rng&) const { refuse("encode"); }
std::string SentencePieceTokenizer::decode(std::span<const TokenId>) const { refuse("decode"); }
std::string_view SentencePieceTokenizer::piece(TokenId) const { refuse("piece"); }
bool SentencePieceTokenizer::is_byte(TokenId) const { refuse("piece"); }
void SentencePieceTokenizer::save(const std::filesystem::path& folder, std::string_view) const {
  refuse(folder.string());
}
void SentencePieceTokenizer::save_model(const std::filesystem::path& folder, std::string_view) const {
  refuse(folder.string());
}

std::string train_sentencepiece(SubwordAlgorithm, const LineSource&, const TokenizerOptions&, TrainingReport&) {
  refuse("train");
}

}  // namespace dhyan
