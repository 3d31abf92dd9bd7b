#include "text/piece_joiner.h"

#include "text/sentencepiece_model.h"
#include "text/unicode.h"

namespace dhyan {

void PieceJoiner::add_text(std::string_view text) {
  if (text.empty()) return;
  if (blank_ && !line_.empty()) line_ += ' ';
  blank_ = false;
  line_ += text;
}

void PieceJoiner::add(std::string_view piece) {
  flush_bytes();
  for (std::size_t mark; (mark = piece.find(kSpaceMark)) != piece.npos;) {
    add_text(piece.substr(0, mark));
    blank_ = true;
    piece.remove_prefix(mark + kSpaceMark.size());
  }
  add_text(piece);
}

void PieceJoiner::add_unknown() {
  flush_bytes();
  add_text(kUnknownSurface);
}

void PieceJoiner::flush_bytes() {
  if (bytes_.empty()) return;
  const std::string text = replace_bad_utf8(bytes_);
  bytes_.clear();
  constexpr std::string_view kBlanks = " \t\n\v\f\r";
  std::string_view rest = text;
  for (std::size_t blank; (blank = rest.find_first_of(kBlanks)) != rest.npos;) {
    add_text(rest.substr(0, blank));
    blank_ = true;
    rest.remove_prefix(blank + 1);
  }
  add_text(rest);
}

std::string PieceJoiner::finish() {
  flush_bytes();
  return std::move(line_);
}

}  // namespace dhyan
