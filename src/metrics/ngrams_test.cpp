#include "metrics/ngrams.h"

#include <gtest/gtest.h>
#include <string_view>

namespace dhyan {
namespace {

NgramCounts ngrams(std::u32string_view text, Index order) { return {std::span(text), order}; }

TEST(Ngrams, AreCountedWithRepetitions) {
  EXPECT_EQ(ngrams(U"abab", 1).total(), 4);
  EXPECT_EQ(ngrams(U"abab", 4).total(), 1);
  EXPECT_EQ(ngrams(U"abab", 5).total(), 0);
  EXPECT_TRUE(ngrams(U"", 1).empty());
}

TEST(Ngrams, AreClippedByTheCountInTheReference) {
  EXPECT_EQ(ngrams(U"aaaaaaa", 1).matches(ngrams(U"abcadef", 1)), 2);  // the example of [papineni2002]
  EXPECT_EQ(ngrams(U"abcab", 2).matches(ngrams(U"xabyab", 2)), 2);
  EXPECT_EQ(ngrams(U"abc", 2).matches(ngrams(U"cba", 2)), 0);
  EXPECT_EQ(ngrams(U"abc", 1).matches(ngrams(U"", 1)), 0);
  EXPECT_EQ(ngrams(U"zyx", 1).matches(ngrams(U"abcx", 1)), 1);
}

TEST(Ngrams, MergeReferencesByTheLargestCount) {
  NgramCounts merged = ngrams(U"aab", 1);
  merged.merge(ngrams(U"abbc", 1));
  EXPECT_EQ(merged.total(), 5);  // a a b b c
  EXPECT_EQ(ngrams(U"aaabbbccc", 1).matches(merged), 5);
  merged.merge(ngrams(U"", 1));
  EXPECT_EQ(merged.total(), 5);
}

}  // namespace
}  // namespace dhyan
