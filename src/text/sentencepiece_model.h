#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dhyan {

// The space mark in pieces: U+2581.
inline constexpr std::string_view kSpaceMark = "\u2581";

// The parts of a SentencePiece `.model` file that its library does not expose: the algorithm and the kind of every
// piece. Enumerators have the values of the file format (sentencepiece_model.proto).
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
  bool keeps_words_apart = false;    // the normaliser changes only spaces, and no piece contains one
  bool joins_plainly = false;        // decoding only joins pieces and turns space marks into spaces
};

// ModelFileError for malformed bytes, or a piece that is not valid UTF-8.
SubwordModel parse_sentencepiece_model(std::string_view where, std::string_view bytes);

// The same model, but segmenting every line into characters and user-defined symbols: this gives access to the
// library's normaliser and its offsets, which the library does not expose. A character that occurs only inside longer
// pieces becomes a piece, because the library joins unknown characters.
std::string as_character_model(const SubwordModel& model, std::string_view bytes);

}  // namespace dhyan
