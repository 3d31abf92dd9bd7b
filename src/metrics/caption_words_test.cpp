#include "metrics/caption_words.h"

#include <gtest/gtest.h>

#include "text/unicode.h"

namespace dhyan {
namespace {

std::string words(std::string_view caption) { return to_utf8(caption_words(caption)); }

TEST(CaptionWords, AreInLowerCaseWithoutPunctuation) {
  EXPECT_EQ(words("A dog, a CAT; and: \"two\" `birds' - or -- more... Really?"),
            "a dog a cat and two birds or more really");
  EXPECT_EQ(words("The dog's ball (red) isn't here!"), "the dog 's ball -lrb- red -rrb- is n't here");
  EXPECT_EQ(words(" \t"), "");
  EXPECT_EQ(words("... ! -"), "");
}

TEST(CaptionWords, SplitContractions) {
  EXPECT_EQ(words("Don't they'll we\u2019re I'm he'd you've cannot gonna 'tis"),
            "do n't they 'll we 're i 'm he 'd you 've can not gon na 't is");
  EXPECT_EQ(words("five o'clock, ma'am: the boys' bull's-eye in the '90s"),
            "five o'clock ma'am the boys bull 's eye in the '90s");
}

TEST(CaptionWords, KeepCompoundsNumbersAndAbbreviationsWhole) {
  EXPECT_EQ(words("A 3-year-old in a black-and-white t-shirt- and -hat"),
            "a 3-year-old in a black-and-white t-shirt and hat");
  EXPECT_EQ(words("$1,000.50 at 5:30 p.m. and 50% of 1/2, -5"), "$ 1,000.50 at 5:30 p.m. and 50 % of 1/2 -5");
  EXPECT_EQ(words("Mr. Smith of St. Paul in the U.S. rests."), "mr. smith of st. paul in the u.s. rests");
  EXPECT_EQ(words("AT&T R&D b&w #tag @user a@b.org"), "at&t r&d b & w #tag @user a@b.org");
}

TEST(CaptionWords, KeepRepeatedMarksAndOtherSymbols) {
  EXPECT_EQ(words("go!! why?! yes!no a*b = c [x] {y} &amp; &quot;z&quot;"),
            "go !! why ?! yes!no a * b = c -lsb- x -rsb- -lcb- y -rcb- & z");
}

TEST(CaptionWords, ExcludeDandasOfHindi) {
  EXPECT_EQ(words("एक कुत्ता दौड़ रहा है।"), "एक कुत्ता दौड़ रहा है");
  EXPECT_EQ(words("\"हाँ\", (वह) लाल-नीला॥ ५,०००.५०"), "हाँ -lrb- वह -rrb- लाल नीला ५,०००.५०");
  EXPECT_EQ(words("चप्\u200dपल"), "चप्\u200dपल");
}

TEST(CaptionWords, ExcludePunctuationOfOtherScripts) {
  EXPECT_EQ(words("Über «Größe» – naïve-art… 50 °C"), "über größe naïve-art 50 ° c");
  EXPECT_EQ(words("中文，测试。😀"), "中文 测试 😀");
}

TEST(CaptionWords, AreNotChangedIfTokenised) {
  EXPECT_EQ(to_utf8(caption_words("The dog .", {.tokenized = true})), "The dog .");
  EXPECT_EQ(caption_settings({.tokenized = true}), "case:mixed|tok:none");
  EXPECT_EQ(caption_settings({}), "case:lc|tok:ptb");
}

}  // namespace
}  // namespace dhyan
