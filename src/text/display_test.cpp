#include "text/display.h"

#include <gtest/gtest.h>
#include <vector>

namespace dhyan {
namespace {

TEST(Display, WidthCountsCellsNotBytes) {
  EXPECT_EQ(display_width(""), 0);
  EXPECT_EQ(display_width("abc"), 3);
  EXPECT_EQ(display_width("e\u0301"), 1);
  EXPECT_EQ(display_width("日本"), 4);
  EXPECT_EQ(display_width("मैं"), 1);
  EXPECT_EQ(display_width("खाना"), 2);
  EXPECT_EQ(display_width("क्षि"), 1);
  EXPECT_EQ(display_width("a\u200Db"), 2);
}

TEST(Display, WidthIsSettledWhereTerminalsAgree) {
  for (const char* text : {"", "café", "日本", "e\u0301"}) EXPECT_TRUE(has_settled_width(text)) << text;
  for (const char* text : {"खाना", "क्ष", "a\tb", "👩\u200D🚀"}) EXPECT_FALSE(has_settled_width(text)) << text;
}

TEST(Display, PadsToAWidth) {
  EXPECT_EQ(padded("日本", 6), "日本  ");
  EXPECT_EQ(padded("खाना", 4, Align::kRight), "  खाना");
  EXPECT_EQ(padded("ab", 5, Align::kCentre), " ab  ");
  EXPECT_EQ(padded("abc", 2), "abc");
  EXPECT_EQ(padded("", 2), "  ");
}

TEST(Display, CutsBetweenClusters) {
  EXPECT_EQ(cut("abcdef", 4), "abc…");
  EXPECT_EQ(cut("abcd", 4), "abcd");
  EXPECT_EQ(cut("日本語", 5), "日本…");
  EXPECT_EQ(cut("日本語", 4), "日…");
  EXPECT_EQ(cut("विश्वविद्यालय", 4), "विश्ववि…");
  EXPECT_EQ(cut("e\u0301e\u0301e\u0301", 2), "e\u0301…");
  EXPECT_EQ(cut("abc", 1), "…");
  EXPECT_EQ(cut("abc", 0), "");
  EXPECT_EQ(cut("", 0), "");
}

TEST(Display, NumbersWordsWhereColumnsWouldBreak) {
  const std::vector<std::string_view> words = {"मैं", "खाना", "खा"};
  EXPECT_EQ(numbered_words(words), "1 मैं  2 खाना  3 खा");
  EXPECT_EQ(numbered_words({}), "");
}

}  // namespace
}  // namespace dhyan
