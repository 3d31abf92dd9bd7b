#include "metrics/words.h"

#include <gtest/gtest.h>

namespace dhyan {
namespace {

using Words = std::vector<std::u32string_view>;

TEST(Words, AreSeparatedByBlanksOfAnyKind) {
  EXPECT_EQ(split_words(U"  a \t bc\u00A0d\u3000\u202Fe\u001Cf\n"), (Words{U"a", U"bc", U"d", U"e", U"f"}));
  EXPECT_EQ(split_words(U"मैं\u200Dहूँ\u200Bx"), (Words{U"मैं\u200Dहूँ\u200Bx"})) << "joiners are no blanks";
  EXPECT_EQ(split_words(U""), Words());
  EXPECT_EQ(split_words(U" \t"), Words());
}

TEST(Words, LoseBlanksAtTheEndOfALineOnly) {
  EXPECT_EQ(without_trailing_blanks(U"  a b \u00A0\r\n"), U"  a b");
  EXPECT_EQ(without_trailing_blanks(U" \t"), U"");
}

TEST(Words, HaveEqualIdsIfEqual) {
  WordNumbers numbers;
  const Symbols first = numbers({U"a", U"b", U"a"});
  EXPECT_EQ(first[0], first[2]);
  EXPECT_NE(first[0], first[1]);
  EXPECT_EQ(numbers({U"b", U"a"}), (Symbols{first[1], first[0]}));
}

}  // namespace
}  // namespace dhyan
