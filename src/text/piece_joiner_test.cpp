#include "text/piece_joiner.h"

#include <gtest/gtest.h>
#include <initializer_list>

namespace dhyan {
namespace {

std::string joined(std::initializer_list<std::string_view> pieces) {
  PieceJoiner line;
  for (const std::string_view piece : pieces) line.add(piece);
  return line.finish();
}

std::string joined_bytes(std::string_view bytes) {
  PieceJoiner line;
  line.add("▁a");
  for (const char byte : bytes) line.add_byte(static_cast<unsigned char>(byte));
  line.add("b");
  return line.finish();
}

TEST(PieceJoiner, WritesOneBlankBetweenWordsAndNoneAround) {
  EXPECT_EQ(joined({"▁I", "▁am", "▁eat", "ing"}), "I am eating");
  EXPECT_EQ(joined({"▁", "▁", "▁I", "▁", "▁", "▁am", "▁"}), "I am");
  EXPECT_EQ(joined({"▁▁a▁▁b▁"}), "a b");
  EXPECT_EQ(joined({"▁"}), "");
  EXPECT_EQ(joined({}), "");
}

TEST(PieceJoiner, WritesUnknownTokensInPlace) {
  PieceJoiner line;
  line.add("▁on");
  line.add("▁");
  line.add_unknown();
  line.add("ednesday");
  line.add("▁at");
  EXPECT_EQ(line.finish(), "on ⁇ednesday at");
}

TEST(PieceJoiner, JoinsBytesIntoCharacters) {
  EXPECT_EQ(joined_bytes("é"), "aéb");
  EXPECT_EQ(joined_bytes("日🙂"), "a日🙂b");
}

TEST(PieceJoiner, ReplacesInvalidBytes) {
  EXPECT_EQ(joined_bytes("\xE6\x97"), "a\uFFFDb");  // the beginning of a character
  EXPECT_EQ(joined_bytes("\x97"), "a\uFFFDb");      // the end of one
  EXPECT_EQ(joined_bytes("\xE6\x97x"), "a\uFFFDxb");
}

TEST(PieceJoiner, NeverWritesALineBreak) {
  EXPECT_EQ(joined_bytes("\n"), "a b");
  EXPECT_EQ(joined_bytes("\r\n\t "), "a b");
  EXPECT_EQ(joined_bytes("x\ny"), "ax yb");
}

}  // namespace
}  // namespace dhyan
