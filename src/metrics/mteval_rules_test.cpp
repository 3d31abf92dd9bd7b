#include "metrics/mteval_rules.h"

#include <gtest/gtest.h>

namespace dhyan {
namespace {

TEST(Separate, ReplacesFromLeftToRightOnce) {
  std::u32string text = U"aaa's it's ";
  replace_all(text, U"'s ", U" 's ");
  EXPECT_EQ(text, U"aaa 's it 's ");
  text = U"aaaa";
  replace_all(text, U"aa", U"a");
  EXPECT_EQ(text, U"aa");
}

TEST(Separate, UnescapesAmpersandsBeforeAngles) {
  std::u32string text = U"&amp;lt; &amp;quot; &apos;";
  unescape_xml(text);
  EXPECT_EQ(text, U"< &quot; &apos;");
}

TEST(Separate, PutsBlanksAroundOneOfTwoNeighbours) {
  const auto is_a = [](char32_t code) { return code == 'a'; };
  EXPECT_EQ(separate_neighbours(U"aaab", is_a, is_a, Blanks::kAroundSecond), U"a a ab");
  EXPECT_EQ(separate_neighbours(U"aaab", is_a, is_a, Blanks::kAroundFirst), U" a aab");
  EXPECT_EQ(separate_each(U"aba", is_a), U" a b a ");
}

TEST(Separate, KeepsPointsInNumbersAndApostrophes) {
  EXPECT_EQ(separate_points(U"1.5 a.b 3-4 x-y"), U"1.5 a  .  b 3 - 4 x-y");
  EXPECT_EQ(separate_ascii_symbols(U"a'b,c-d.e$"), U"a'b,c-d.e $ ");
}

}  // namespace
}  // namespace dhyan
