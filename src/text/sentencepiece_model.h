#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dhyan {

// What stands for a space in pieces: U+2581.
inline constexpr std::string_view kSpaceMark = "\u2581";

// What is written in a SentencePiece `.model` file and its library does not tell: the algorithm, and the kind of every
// piece. Numbers are those of the file format (sentencepiece_model.proto).
enum class SubwordAlgorithm { kUnigram = 1, kBpe = 2, kWord = 3, kChar = 4 };
enum class PieceKind { kNormal = 1, kUnknownWord = 2, kControl = 3, kUserDefined = 4, kUnused = 5, kByte = 6 };

struct SubwordPiece {
  std::string text;
  float score = 0;
  PieceKind kind = PieceKind::kNormal;
};

struct SubwordModel {
  SubwordAlgorithm algorithm = SubwordAlgorithm::kUnigram;
  std::vector<SubwordPiece> pieces;  // by the file's own ids
  bool keeps_words_apart = false;    // text is left as it is but for spaces, and no piece reaches over one
  bool joins_plainly = false;        // decoding puts pieces together, with a space for each mark, and does no more
};

// Throws ModelFileError unless the bytes are of the format, with valid UTF-8 in every piece.
SubwordModel parse_sentencepiece_model(std::string_view where, std::string_view bytes);

// The same model, cutting every line into its characters and user-defined symbols: a way to the library's own
// normaliser and its offsets, for which it has no call. A character that stands only inside of longer pieces becomes a
// piece, since the library runs unknown characters together.
std::string as_character_model(const SubwordModel& model, std::string_view bytes);

}  // namespace dhyan
