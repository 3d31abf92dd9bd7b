#include "text/sentencepiece_tokenizer.h"

#include <algorithm>
#include <sentencepiece_processor.h>

#include "core/error.h"
#include "core/file.h"
#include "text/byte_piece.h"
#include "text/nfc.h"
#include "text/piece_joiner.h"
#include "text/unicode.h"
#include "text/vocabulary_tokenizer.h"

namespace dhyan {

namespace {

namespace sp = sentencepiece;

std::unique_ptr<const sp::SentencePieceProcessor> processor_of(std::string_view model, std::string_view where) {
  auto processor = std::make_unique<sp::SentencePieceProcessor>();
  if (!processor->LoadFromSerializedProto(model).ok()) {
    throw ModelFileError(cat(where, ": not a SentencePiece model, or damaged"));
  }
  return processor;
}

constexpr std::size_t kBytes = 256;

}  // namespace

// A line as the model reads it, and the mapping to the original line.
class SentencePieceTokenizer::Line {
 public:
  Line(std::string_view line, bool wants_nfc) {
    require_utf8(line, "encode");
    if (!wants_nfc) {
      text_ = line;
      return;
    }
    normal_.emplace(line);
    text_ = normal_->text();
    std::replace(text_.begin(), text_.end(), '\t', ' ');
  }

  std::string_view text() const { return text_; }

  // Bytes of text(), without the spaces around them,
  ByteRange trimmed(ByteRange range) const {
    while (range.begin < range.end && text_[static_cast<std::size_t>(range.begin)] == ' ') ++range.begin;
    while (range.begin < range.end && text_[static_cast<std::size_t>(range.end - 1)] == ' ') --range.end;
    return range;
  }

  // and as bytes of the line.
  ByteRange original(ByteRange range) const { return normal_ ? normal_->original(trimmed(range)) : trimmed(range); }

  // The result of a processor: piece, the file's id, bytes of text(). If text can be unknown, long runs of unknown
  // characters are shortened first.
  template <class F>
  void for_each_piece(const sp::SentencePieceProcessor& processor, const ShortenedRuns* runs, F&& f) const {
    const bool shortened = runs != nullptr && runs->text();
    sp::ImmutableSentencePieceText found;
    const sp::util::Status status = processor.Encode(shortened ? *runs->text() : text_, found.mutable_proto());
    if (!status.ok()) throw DataError(cat("encode: SentencePiece refused a line of ", text_.size(), " bytes"));
    for (const auto& piece : found.pieces()) {
      const ByteRange range{piece.begin(), piece.end()};
      f(piece.piece(), static_cast<std::size_t>(piece.id()), shortened ? runs->original(range) : range);
    }
  }

 private:
  std::optional<NfcLine> normal_;
  std::string text_;
};

SentencePieceTokenizer::SentencePieceTokenizer(std::string model, std::string_view where,
                                               std::optional<SubwordSampling> sampling)
    : model_(std::move(model)), fingerprint_(hash_bytes(model_, hash_bytes(kKind))) {
  const SubwordModel parsed = parse_sentencepiece_model(where, model_);
  processor_ = processor_of(model_, where);
  if (static_cast<std::size_t>(processor_->GetPieceSize()) != parsed.pieces.size()) {
    throw ModelFileError(cat(where, ": not a SentencePiece model, or damaged"));
  }
  algorithm_ = parsed.algorithm;
  wants_nfc_ = std::all_of(parsed.pieces.begin(), parsed.pieces.end(),
                           [](const SubwordPiece& piece) { return is_nfc(piece.text); });
  number_pieces(parsed);
  joins_plainly_ = parsed.joins_plainly;
  if (bytes_.empty()) known_.emplace(parsed);
  // The merges of a word do not depend on other words. The sums of a unigram model do, through rounding.
  if (parsed.keeps_words_apart && algorithm_ == SubwordAlgorithm::kBpe) words_ = std::make_unique<WordCache>();
  const bool can_vary = algorithm_ == SubwordAlgorithm::kUnigram || algorithm_ == SubwordAlgorithm::kBpe;
  if (sampling && can_vary) prepare_sampling(parsed, where, *sampling);
}

SentencePieceTokenizer::~SentencePieceTokenizer() = default;

std::unique_ptr<SentencePieceTokenizer> SentencePieceTokenizer::load(const std::filesystem::path& path,
                                                                     std::optional<SubwordSampling> sampling) {
  const MappedFile file(path);
  std::string model(reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size());
  file.expect_unchanged();
  return std::make_unique<SentencePieceTokenizer>(std::move(model), path.string(), sampling);
}

void SentencePieceTokenizer::number_pieces(const SubwordModel& model) {
  theirs_ = {processor_->pad_id(), processor_->unk_id(), processor_->bos_id(), processor_->eos_id()};
  pieces_.assign(kSpecialTokens.begin(), kSpecialTokens.end());
  kinds_.assign(kSpecialTokens.size(), PieceKind::kControl);
  kinds_[kUnknown] = PieceKind::kUnknownWord;
  ours_.assign(model.pieces.size(), kUnknown);
  for (int id = 0; id < static_cast<int>(model.pieces.size()); ++id) {
    const SubwordPiece& piece = model.pieces[static_cast<std::size_t>(id)];
    const auto special = std::find(theirs_.begin(), theirs_.begin() + kSpecialTokens.size(), id);
    const bool is_special = special != theirs_.begin() + kSpecialTokens.size();
    const auto ours =
        static_cast<TokenId>(is_special ? special - theirs_.begin() : static_cast<std::ptrdiff_t>(pieces_.size()));
    ours_[static_cast<std::size_t>(id)] = ours;
    if (is_special) continue;
    theirs_.push_back(id);
    pieces_.push_back(piece.text);
    const std::optional<unsigned char> byte = byte_of(piece.text);
    const bool is_byte = piece.kind == PieceKind::kByte && byte;
    kinds_.push_back(piece.kind == PieceKind::kByte && !byte ? PieceKind::kNormal : piece.kind);
    if (!is_byte) continue;
    if (bytes_.empty()) bytes_.assign(kBytes, kUnknown);
    bytes_[*byte] = ours;
  }
}

void SentencePieceTokenizer::prepare_sampling(const SubwordModel& model, std::string_view where,
                                              const SubwordSampling& sampling) {
  sampler_ = std::make_unique<SubwordSampler>(model, sampling);
  characters_ = processor_of(as_character_model(model, model_), where);
  for (const SubwordPiece& piece : model.pieces) {
    if (piece.kind == PieceKind::kUserDefined) symbols_.insert(piece.text);
  }
}

Encoded SentencePieceTokenizer::encode(std::string_view line) const {
  const Line given(line, wants_nfc_);
  Encoded encoded;
  const auto cut = [this](std::string_view word) { return cut_by_library(Line(word, false)); };
  if (words_ == nullptr || !words_->append(given.text(), cut, encoded)) encoded = cut_by_library(given);
  for (ByteRange& piece : encoded.pieces) piece = given.original(piece);
  return encoded;
}

// Whether the character is unknown to the model after normalisation.
bool SentencePieceTokenizer::is_unknown_alone(std::string_view character) const {
  bool unknown = true;
  Line(character, false).for_each_piece(*processor_, nullptr, [&](const std::string& piece, std::size_t id, ByteRange) {
    unknown &= ours_[id] == kUnknown || piece == kSpaceMark;
  });
  return unknown;
}

std::optional<ShortenedRuns> SentencePieceTokenizer::shortened_runs(const Line& line) const {
  if (!known_) return std::nullopt;
  return ShortenedRuns(line.text(), *known_,
                       [this](std::string_view character) { return is_unknown_alone(character); });
}

// With the ranges of pieces in the text that the model reads.
Encoded SentencePieceTokenizer::cut_by_library(const Line& given) const {
  Encoded encoded;
  const std::optional<ShortenedRuns> runs = shortened_runs(given);
  given.for_each_piece(*processor_, runs ? &*runs : nullptr, [&](const std::string&, std::size_t id, ByteRange range) {
    encoded.ids.push_back(ours_[id]);
    encoded.pieces.push_back(given.trimmed(range));
  });
  return encoded;
}

// With byte fallback an unknown character is a sequence of bytes; joins them again.
std::vector<Atom> SentencePieceTokenizer::atoms(const Line& line) const {
  std::vector<Atom> found;
  bool spelled = false;  // the last atom is an incomplete character in bytes
  const std::optional<ShortenedRuns> runs = shortened_runs(line);
  line.for_each_piece(*characters_, runs ? &*runs : nullptr,
                      [&](const std::string& piece, std::size_t id, ByteRange range) {
                        const bool is_byte = id < ours_.size() && processor_->IsByte(static_cast<int>(id));
                        if (!is_byte) {
                          found.push_back({piece, range, symbols_.contains(piece)});
                          return;
                        }
                        if (!spelled) found.push_back({{}, {range.begin, range.begin}, false});
                        Atom& atom = found.back();
                        atom.text += static_cast<char>(*byte_of(piece));
                        atom.range.end = range.end;
                        spelled = first_bad_byte(atom.text).has_value();
                      });
  return found;
}

void SentencePieceTokenizer::append_unknown(std::string_view text, ByteRange original, Encoded& encoded) const {
  if (!bytes_.empty()) {
    for (const char byte : text) {
      encoded.ids.push_back(bytes_[static_cast<unsigned char>(byte)]);
      encoded.pieces.push_back({original.begin, original.begin});
    }
    encoded.pieces.back() = original;
  } else if (!encoded.ids.empty() && encoded.ids.back() == kUnknown) {
    encoded.pieces.back().end = original.end;
  } else {
    encoded.ids.push_back(kUnknown);
    encoded.pieces.push_back(original);
  }
}

Encoded SentencePieceTokenizer::encode_sampled(std::string_view line, Rng& rng) const {
  if (!sampler_) return encode(line);
  const Line given(line, wants_nfc_);
  const std::vector<Atom> parts = atoms(given);
  Encoded encoded;
  for (const Cut& cut : sampler_->cut(parts, rng)) {
    const ByteRange original = given.original({parts[cut.begin].range.begin, parts[cut.end - 1].range.end});
    if (cut.id == Cut::kNoPiece) {
      append_unknown(parts[cut.begin].text, original, encoded);
      continue;
    }
    encoded.ids.push_back(ours_[static_cast<std::size_t>(cut.id)]);
    encoded.pieces.push_back(original);
  }
  return encoded;
}

std::string SentencePieceTokenizer::decode(std::span<const TokenId> ids) const {
  if (!joins_plainly_) return decode_by_library(ids);
  PieceJoiner line;
  for (const TokenId id : ids) {
    const std::string_view text = piece(id);  // throws for an unknown id
    switch (kinds_[static_cast<std::size_t>(id)]) {
      case PieceKind::kControl:
        break;
      case PieceKind::kUnknownWord:
        line.add_unknown();
        break;
      case PieceKind::kByte:
        line.add_byte(*byte_of(text));
        break;
      case PieceKind::kNormal:
      case PieceKind::kUserDefined:
      case PieceKind::kUnused:
        line.add(text);
        break;
    }
  }
  return line.finish();
}

// For a model with its own rules for spaces or for decoding.
std::string SentencePieceTokenizer::decode_by_library(std::span<const TokenId> ids) const {
  std::vector<int> theirs;
  theirs.reserve(ids.size());
  for (const TokenId id : ids) {
    piece(id);  // throws for an unknown id
    if (!stands_for_no_text(id)) theirs.push_back(theirs_[static_cast<std::size_t>(id)]);
  }
  std::string line;
  if (!processor_->Decode(theirs, &line).ok()) throw DataError("decode: SentencePiece refused the tokens");
  return line;
}

std::string_view SentencePieceTokenizer::piece(TokenId id) const {
  if (id < 0 || id >= size()) throw UsageError(cat("vocabulary: there is no token ", id, " among ", size()));
  return pieces_[static_cast<std::size_t>(id)];
}

bool SentencePieceTokenizer::is_byte(TokenId id) const {
  piece(id);  // throws for an unknown id
  return kinds_[static_cast<std::size_t>(id)] == PieceKind::kByte;
}

void SentencePieceTokenizer::save_model(const std::filesystem::path& folder, std::string_view side) const {
  write_file(folder / cat(side, ".model"), model_);
}

void SentencePieceTokenizer::save(const std::filesystem::path& folder, std::string_view side) const {
  save_model(folder, side);
  AtomicFile vocabulary(vocabulary_path(folder, side));
  for (const std::string& piece : pieces_) vocabulary.write(escape_token(piece) + "\n");
  vocabulary.commit();
}

}  // namespace dhyan
