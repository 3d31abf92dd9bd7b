#pragma once

#include <string>
#include <string_view>

namespace dhyan {

// Joins the subwords of a line. A space mark (U+2581) becomes one blank between words: never two in a row, and
// none at the beginning or the end of the line. Bytes of byte fallback are collected into characters; every run
// of them that is not UTF-8 becomes one U+FFFD, and bytes of line ends or tabs become a blank, so that the result is
// one line.
class PieceJoiner {
 public:
  static constexpr std::string_view kUnknownSurface = "\u2047";  // "⁇", as SentencePiece writes <unk>

  void add(std::string_view piece);
  void add_byte(unsigned char byte) { bytes_ += static_cast<char>(byte); }
  void add_unknown();

  std::string finish();

 private:
  void add_text(std::string_view text);
  void flush_bytes();

  std::string line_;
  std::string bytes_;   // not yet part of the line
  bool blank_ = false;  // write a blank before the next text
};

}  // namespace dhyan
