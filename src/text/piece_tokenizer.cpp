#include "text/piece_tokenizer.h"

#include <algorithm>

#include "text/byte_piece.h"
#include "text/piece_joiner.h"
#include "text/unicode.h"

namespace dhyan {

namespace {

// The length of the language token that the text begins with, ">>xxx<<"; 0 if there is none in the vocabulary.
std::size_t language_token(std::string_view text, const Vocabulary& vocabulary) {
  constexpr std::string_view kOpen = ">>", kClose = "<<";
  if (!text.starts_with(kOpen)) return 0;
  const std::size_t close = text.find(kClose);
  if (close == text.npos) return 0;
  const std::size_t end = close + kClose.size();
  return vocabulary.id(text.substr(0, end)) == kUnknown ? 0 : end;
}

void append(Encoded& to, TokenId id, ByteRange range, std::size_t shift) {
  const auto by = static_cast<Index>(shift);
  to.ids.push_back(id);
  to.pieces.push_back({range.begin + by, range.end + by});
}

}  // namespace

PieceTokenizer::PieceTokenizer(Vocabulary vocabulary, std::shared_ptr<const SentencePieceTokenizer> segmenter)
    : VocabularyTokenizer(kKind, std::move(vocabulary)), segmenter_(std::move(segmenter)) {
  if (segmenter_ == nullptr) {
    by_frequency_.emplace(this->vocabulary());
    return;
  }
  for (TokenId id = 0; id < segmenter_->size(); ++id) ours_.push_back(this->vocabulary().id(segmenter_->piece(id)));
}

std::unique_ptr<PieceTokenizer> PieceTokenizer::load(const std::filesystem::path& folder, std::string_view side) {
  const std::filesystem::path model = folder / (std::string(side) + ".model");
  std::shared_ptr<const SentencePieceTokenizer> segmenter;
  if (std::filesystem::exists(model)) segmenter = SentencePieceTokenizer::load(model);
  return std::make_unique<PieceTokenizer>(Vocabulary::load(vocabulary_path(folder, side)), std::move(segmenter));
}

Encoded PieceTokenizer::encode(std::string_view line) const {
  require_utf8(line, "encode");
  Encoded encoded;
  std::size_t begin = 0;
  while (const std::size_t length = language_token(line.substr(begin), vocabulary())) {
    append(encoded, vocabulary().id(line.substr(begin, length)), {0, static_cast<Index>(length)}, begin);
    begin = std::min(line.find_first_not_of(' ', begin + length), line.size());
  }
  const std::string_view rest = line.substr(begin);
  const Encoded cut = segmenter_ ? segmenter_->encode(rest) : by_frequency_->cut(rest);
  for (std::size_t i = 0; i < cut.ids.size(); ++i) {
    TokenId id = cut.ids[i];
    if (segmenter_) {
      // The vocabulary may know text that the SentencePiece model does not.
      id = id == kUnknown ? vocabulary().id(part(rest, cut.pieces[i])) : ours_[static_cast<std::size_t>(id)];
    }
    append(encoded, id, cut.pieces[i], begin);
  }
  return encoded;
}

bool PieceTokenizer::is_byte(TokenId id) const { return byte_of(piece(id)).has_value(); }

std::string PieceTokenizer::decode(std::span<const TokenId> ids) const {
  PieceJoiner line;
  for (const TokenId id : ids) {
    const std::string_view text = piece(id);  // throws for an unknown id
    if (stands_for_no_text(id)) continue;
    if (id == kUnknown) {
      line.add_unknown();
    } else if (const std::optional<unsigned char> byte = byte_of(text)) {
      line.add_byte(*byte);
    } else {
      line.add(text);
    }
  }
  return line.finish();
}

std::uint64_t PieceTokenizer::fingerprint() const {
  const std::uint64_t own = VocabularyTokenizer::fingerprint();
  if (segmenter_ == nullptr) return own;
  const std::uint64_t cut = segmenter_->fingerprint();
  return hash_bytes({reinterpret_cast<const char*>(&cut), sizeof cut}, own);
}

void PieceTokenizer::save(const std::filesystem::path& folder, std::string_view side) const {
  VocabularyTokenizer::save(folder, side);
  if (segmenter_) segmenter_->save_model(folder, side);
}

}  // namespace dhyan
