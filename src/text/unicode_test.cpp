#include "text/unicode.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"

namespace dhyan {
namespace {

using namespace std::string_literals;

TEST(Utf8, AcceptsTheFirstAndLastCharacterOfEveryLength) {
  const std::string edges =
      "\0\x7f\xC2\x80\xDF\xBF\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBF\xF0\x90\x80\x80\xF4\x8F\xBF\xBF"s;
  EXPECT_EQ(first_bad_byte(edges), std::nullopt);
  EXPECT_EQ(first_bad_byte(""), std::nullopt);
  EXPECT_EQ(first_bad_byte("मैं खाना खा रहा हूँ"), std::nullopt);
}

TEST(Utf8, FindsTheFirstBadByte) {
  EXPECT_EQ(first_bad_byte("ab\x80"), 2);               // a continuation alone
  EXPECT_EQ(first_bad_byte("\xC0\xAF"), 0);             // overlong, two bytes
  EXPECT_EQ(first_bad_byte("\xC1\xBF"), 0);             // overlong, two bytes
  EXPECT_EQ(first_bad_byte("x\xE0\x9F\xBF"), 1);        // overlong, three bytes
  EXPECT_EQ(first_bad_byte("x\xF0\x8F\xBF\xBF"), 1);    // overlong, four bytes
  EXPECT_EQ(first_bad_byte("xy\xED\xA0\x80"), 2);       // a surrogate
  EXPECT_EQ(first_bad_byte("xyz\xF4\x90\x80\x80"), 3);  // above U+10FFFF
  EXPECT_EQ(first_bad_byte("\xF5\x80\x80\x80"), 0);     // above U+10FFFF
  EXPECT_EQ(first_bad_byte("मै\xE0\xA4"), 6);            // cut off
  EXPECT_EQ(first_bad_byte("a\xE0\xA4z"), 1);           // cut off by another character
  EXPECT_EQ(first_bad_byte("\xFF"), 0);
}

TEST(Utf8, NamesTheByteInTheError) {
  require_utf8("ठीक", "line");
  EXPECT_EQ(thrown<DataError>([] { require_utf8("ab\xff", "train.hi:7"); }), "train.hi:7: byte 3 is not UTF-8 (0xff)");
}

TEST(Utf8, ReplacesEachInvalidRunOnce) {
  Index replaced = -1;
  EXPECT_EQ(replace_bad_utf8("a\x80z", &replaced), "a\uFFFDz");
  EXPECT_EQ(replaced, 1);
  EXPECT_EQ(replace_bad_utf8("\xE0\xA4", &replaced), "\uFFFD");  // one character that was cut off
  EXPECT_EQ(replaced, 1);
  EXPECT_EQ(replace_bad_utf8("\xED\xA0\x80", &replaced), "\uFFFD\uFFFD\uFFFD");  // A0 cannot follow ED
  EXPECT_EQ(replaced, 3);
  EXPECT_EQ(replace_bad_utf8("\xF0\x90\x80", &replaced), "\uFFFD");
  EXPECT_EQ(replace_bad_utf8("हूँ", &replaced), "हूँ");
  EXPECT_EQ(replaced, 0);
  EXPECT_EQ(replace_bad_utf8(""), "");
}

TEST(Characters, IterateOverCodePointsWithTheirBytes) {
  std::vector<Character> found;
  for (const Character& character : Characters("aéह😀")) found.push_back(character);
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[0].code, U'a');
  EXPECT_EQ(found[1].code, U'é');
  EXPECT_EQ(found[2].code, U'ह');
  EXPECT_EQ(found[3].code, U'😀');
  EXPECT_EQ(found[2].begin, 3);
  EXPECT_EQ(found[3].end, 10);
  EXPECT_EQ(count_characters("aéह😀"), 4);
}

TEST(Characters, EndAtTheEndOfAnyBytes) {
  Index bytes = 0;
  for (const Character& character : Characters("\xE0\xA4\xFFq")) {
    EXPECT_EQ(character.begin, bytes);
    bytes = character.end;
  }
  EXPECT_EQ(bytes, 4);
}

TEST(Characters, RoundTripThroughUtf8) {
  const std::string text = "a\u07FF\uFFFD\U0010FFFF";
  std::string written;
  for (const Character& character : Characters(text)) append_utf8(written, character.code);
  EXPECT_EQ(written, text);
}

TEST(Characters, RoundTripThroughUtf32) {
  EXPECT_EQ(to_utf32("aéह😀"), U"aéह😀");
  EXPECT_EQ(to_utf8(U"aéह😀"), "aéह😀");
  EXPECT_EQ(to_utf32("\xE0\xA4q"), U"\uFFFD\uFFFDq");
  EXPECT_EQ(to_utf32(""), U"");
}

TEST(Characters, HaveAMajorCategory) {
  EXPECT_EQ(major_category(U'ह'), 'L');
  EXPECT_EQ(major_category(U'\u0902'), 'M');
  EXPECT_EQ(major_category(U'५'), 'N');
  EXPECT_EQ(major_category(U'।'), 'P');
  EXPECT_EQ(major_category(U'₹'), 'S');
  EXPECT_EQ(major_category(U'\u00A0'), 'Z');
  EXPECT_EQ(major_category(U'\u200D'), 'C');
  EXPECT_EQ(major_category(0x10FFFF), 'C');
}

TEST(Characters, DistinguishSpacesFromNoBreakSpaces) {
  for (const char32_t code : {U' ', U'\t', U'\r', U'\u3000', U'\u2003'}) EXPECT_TRUE(is_space(code));
  for (const char32_t code : {U'a', U'\u00A0', U'\u202F', U'\u2007', U'\u200B', U'\u200D'}) {
    EXPECT_FALSE(is_space(code)) << static_cast<unsigned>(code);
  }
  for (const char32_t code : {U' ', U'\u00A0', U'\u200D', U'\u0007'}) EXPECT_TRUE(is_invisible(code));
  for (const char32_t code : {U'a', U'ह', U'\u0902'}) EXPECT_FALSE(is_invisible(code));
}

TEST(CharacterOffsets, CountCharactersInsteadOfBytes) {
  const std::vector<ByteRange> bytes = {{0, 1}, {1, 3}, {3, 3}, {4, 10}};
  const std::vector<ByteRange> characters = {{0, 1}, {1, 2}, {2, 2}, {3, 5}};
  EXPECT_EQ(in_characters("aé हू", bytes), characters);
  EXPECT_TRUE(in_characters("", {}).empty());
  EXPECT_EQ(thrown<UsageError>([] {
              in_characters("abc", {{0, 2}, {1, 3}});
            }),
            "in_characters: a range reaches to byte 1 after byte 2 of a line of 3 bytes; expected ascending ranges");
}

}  // namespace
}  // namespace dhyan
