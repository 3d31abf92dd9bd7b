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

TEST(Display, WidthIsSettledIfTerminalsAgree) {
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

TEST(Display, NumbersWordsIfTheirWidthIsUncertain) {
  const std::vector<std::string> words = {"मैं", "खाना", "खा"};
  using Lines = std::vector<std::string>;
  EXPECT_EQ(numbered_words(words, 80), (Lines{"1 मैं  2 खाना  3 खा"}));
  EXPECT_EQ(numbered_words(words, 10, 9), (Lines{"9 मैं  10 खाना", "11 खा"}));
  EXPECT_TRUE(numbered_words({}, 80).empty());
}

TEST(Display, WrapsBetweenWords) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(wrapped("to be  or not\tto be", 6), (Lines{"to be", "or not", "to be"}));
  EXPECT_EQ(wrapped("मैं खाना खा रहा हूँ", 4), (Lines{"मैं खाना", "खा रहा", "हूँ"}));
  EXPECT_EQ(wrapped("a unfortunately b", 5), (Lines{"a", "unfortunately", "b"}));
  EXPECT_TRUE(wrapped(" ", 5).empty());
}

TEST(Display, RemovesControlSequences) {
  EXPECT_EQ(shown("\x1b[31mred\x07\x7f\u009b"), "\uFFFD[31mred\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(shown("a\tb\nc\rd"), "a b c d");
  EXPECT_EQ(shown("\u202Eabc\u00AD"), "abc") << "turned round by a mark of direction";
  EXPECT_EQ(shown("a\xFF\uFFFE\U0001FFFFz"), "a\uFFFD\uFFFD\uFFFDz");
  EXPECT_EQ(shown(std::string_view("\0", 1)), "\uFFFD");
}

TEST(Display, KeepsOrdinaryText) {
  for (const char* text : {"", "क्षि", "क्\u200Dष", "👩\u200D🚀", "<a href=\"x\">", "of the"}) EXPECT_EQ(shown(text), text);
}

TEST(Display, MakesTextOfSpacesOnlyVisible) {
  EXPECT_EQ(shown(" "), "␣");
  EXPECT_EQ(shown("\t\u00A0"), "␣␣");
}

}  // namespace
}  // namespace dhyan
