#include "text/sentencepiece_model.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <set>

#include "core/error.h"
#include "text/unicode.h"

namespace dhyan {

namespace {

// One field of a protocol buffer message: `tag = field << 3 | wire type`, then a number or bytes.
struct Field {
  std::uint64_t number = 0;
  std::uint64_t value = 0;  // of varints and fixed-width numbers
  std::string_view bytes;   // of strings and messages
};

class Message {
 public:
  Message(std::string_view where, std::string_view bytes) : where_(where), rest_(bytes) {}

  bool next(Field& field) {
    if (rest_.empty()) return false;
    const std::uint64_t tag = varint();
    field = {tag >> 3, 0, {}};
    switch (tag & 7) {
      case 0:
        field.value = varint();
        break;
      case 1:
        field.value = fixed(8);
        break;
      case 2:
        field.bytes = take(varint());
        break;
      case 5:
        field.value = fixed(4);
        break;
      default:
        fail();
    }
    return true;
  }

 private:
  [[noreturn]] void fail() const { throw ModelFileError(cat(where_, ": not a SentencePiece model, or damaged")); }

  std::string_view take(std::uint64_t length) {
    if (length > rest_.size()) fail();
    const std::string_view taken = rest_.substr(0, static_cast<std::size_t>(length));
    rest_.remove_prefix(taken.size());
    return taken;
  }

  std::uint64_t fixed(std::uint64_t length) {
    std::uint64_t value = 0;
    int shift = 0;
    for (const char byte : take(length)) {
      value |= std::uint64_t{static_cast<unsigned char>(byte)} << shift;
      shift += 8;
    }
    return value;
  }

  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(take(1).front());
      value |= std::uint64_t{byte & 0x7Fu} << shift;
      if (byte < 0x80) return value;
    }
    fail();
  }

  std::string_view where_;
  std::string_view rest_;
};

SubwordPiece parse_piece(std::string_view where, std::string_view bytes, std::size_t id) {
  SubwordPiece piece;
  Message message(where, bytes);
  for (Field field; message.next(field);) {
    if (field.number == 1) piece.text = field.bytes;
    if (field.number == 2) piece.score = std::bit_cast<float>(static_cast<std::uint32_t>(field.value));
    if (field.number == 3) {
      if (field.value < 1 || field.value > 6) {
        throw ModelFileError(cat(where, ": piece ", id, " is of kind ", field.value, ", expected 1 to 6"));
      }
      piece.kind = static_cast<PieceKind>(field.value);
    }
  }
  if (!std::isfinite(piece.score)) throw ModelFileError(cat(where, ": piece ", id, " has score ", piece.score));
  if (first_bad_byte(piece.text)) throw ModelFileError(cat(where, ": piece ", id, " is not UTF-8"));
  return piece;
}

std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(0x80 | (value & 0x7F));
  return bytes += static_cast<char>(value);
}

std::string length_delimited(char tag, std::string_view bytes) {
  return tag + varint(bytes.size()) + std::string(bytes);
}

// The settings of a model that are needed here, with the library's defaults.
struct Settings {
  bool spaces_as_usual = true;  // merged, each before its word, and one before the first word
  bool rewrites_text = false;
  bool rewrites_output = false;
};

void read_trainer(std::string_view where, std::string_view bytes, SubwordModel& model, Settings& settings) {
  constexpr std::uint64_t kModelType = 3, kSpaceBehindItsWord = 24;
  Message trainer(where, bytes);
  for (Field setting; trainer.next(setting);) {
    if (setting.number == kSpaceBehindItsWord && setting.value != 0) settings.spaces_as_usual = false;
    if (setting.number != kModelType) continue;
    if (setting.value < 1 || setting.value > 4) {
      throw ModelFileError(cat(where, ": the model's algorithm is number ", setting.value, ", expected 1 to 4"));
    }
    model.algorithm = static_cast<SubwordAlgorithm>(setting.value);
  }
}

// Reads the settings of the normaliser or the denormaliser.
void read_normalizer(std::string_view where, std::string_view bytes, bool undoes, Settings& settings) {
  constexpr std::uint64_t kCharacterMap = 2, kFirstOfSpaces = 3, kLastOfSpaces = 5;
  Message normalizer(where, bytes);
  for (Field setting; normalizer.next(setting);) {
    const bool of_spaces = setting.number >= kFirstOfSpaces && setting.number <= kLastOfSpaces;
    if (of_spaces && setting.value == 0) settings.spaces_as_usual = false;
    if (setting.number != kCharacterMap || setting.bytes.empty()) continue;
    settings.rewrites_text = true;
    settings.rewrites_output |= undoes;
  }
}

bool stays_within_a_word(const SubwordPiece& piece) {
  if (piece.kind == PieceKind::kUserDefined || piece.kind == PieceKind::kUnused) return false;
  return piece.kind != PieceKind::kNormal || piece.text.rfind(kSpaceMark) == std::string::npos ||
         piece.text.rfind(kSpaceMark) == 0;
}

constexpr char kPiecesTag = 1 << 3 | 2, kTrainerTag = 2 << 3 | 2, kPieceTextTag = 1 << 3 | 2, kModelTypeTag = 3 << 3;

}  // namespace

SubwordModel parse_sentencepiece_model(std::string_view where, std::string_view bytes) {
  constexpr std::uint64_t kPiece = 1, kTrainer = 2, kNormalizer = 3, kDenormalizer = 5;
  SubwordModel model;
  Settings settings;
  Message message(where, bytes);
  for (Field field; message.next(field);) {
    if (field.number == kPiece) model.pieces.push_back(parse_piece(where, field.bytes, model.pieces.size()));
    if (field.number == kTrainer) read_trainer(where, field.bytes, model, settings);
    if (field.number == kNormalizer || field.number == kDenormalizer) {
      read_normalizer(where, field.bytes, field.number == kDenormalizer, settings);
    }
  }
  model.joins_plainly = settings.spaces_as_usual && !settings.rewrites_output;
  model.keeps_words_apart =
      settings.spaces_as_usual && !settings.rewrites_text && std::ranges::all_of(model.pieces, stays_within_a_word);
  return model;
}

// Concatenated messages are merged: single fields are replaced, repeated ones appended.
std::string as_character_model(const SubwordModel& model, std::string_view bytes) {
  std::set<std::string_view> known, inside;
  for (const SubwordPiece& piece : model.pieces) {
    known.insert(piece.text);
    if (piece.kind != PieceKind::kNormal) continue;
    for (const Character& character : Characters(piece.text)) {
      inside.insert(part(piece.text, {character.begin, character.end}));
    }
  }
  const std::string trainer{kModelTypeTag, static_cast<char>(SubwordAlgorithm::kChar)};
  std::string merged = std::string(bytes) + length_delimited(kTrainerTag, trainer);
  for (const std::string_view character : inside) {
    if (!known.contains(character)) merged += length_delimited(kPiecesTag, length_delimited(kPieceTextTag, character));
  }
  return merged;
}

}  // namespace dhyan
