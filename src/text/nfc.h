#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer.h"

namespace dhyan {

// A line in Unicode normalisation form C, with a mapping to positions in the original line. Both spellings of é, and
// both of ड़, become one; characters that look different are never merged (as NFKC would do).
class NfcLine {
 public:
  explicit NfcLine(std::string_view original);

  std::string_view text() const { return text_; }
  bool changed() const { return !changes_.empty(); }

  // Maps a position of text() to the original line. Positions inside a changed range map to its begin, so the piece
  // that contains the end of the range covers all of it.
  Index original(Index position) const;
  ByteRange original(ByteRange range) const { return {original(range.begin), original(range.end)}; }

 private:
  void append_cluster(std::string_view cluster, Index begin);

  // Ranges of text() that differ from the original.
  struct Change {
    ByteRange text;
    ByteRange original;
  };

  std::string text_;
  std::vector<Change> changes_;
};

std::string nfc(std::string_view text);
bool is_nfc(std::string_view text);

}  // namespace dhyan
