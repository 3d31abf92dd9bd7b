#include "explain/number_format.h"

#include <gtest/gtest.h>
#include <vector>

#include "core/testing/not_finite.h"

namespace dhyan {
namespace {

TEST(NumberFormat, FixedRoundsToTheGivenDecimals) {
  EXPECT_EQ(fixed(0.42305, 4), "0.4230") << "0.42305 in binary is slightly less";
  EXPECT_EQ(fixed(-2, 2), "-2.00");
  EXPECT_EQ(fixed(-1e-9, 2), "0.00") << "no negative zero";
  EXPECT_EQ(fixed(1e300, 0).size(), 301u);
}

TEST(NumberFormat, ShowsADashForNanAndInfinity) {
  for (const double x : {kNan, kInfinity, -kInfinity}) {
    EXPECT_EQ(fixed(x, 2), "–");
    EXPECT_EQ(short_number(x), "–");
    EXPECT_EQ(number(x, "null"), "null");
  }
}

TEST(NumberFormat, NumberKeepsSignificantDigitsOnly) {
  EXPECT_EQ(number(0.25, ""), "0.25");
  EXPECT_EQ(number(double{0.1f}, ""), "0.1") << "the digits of a float, not those of its double";
  EXPECT_EQ(number(-0.0, ""), "0");
  EXPECT_EQ(number(1e-9, ""), "1e-09");
  EXPECT_EQ(number(-123.45678, ""), "-123.4568");
  EXPECT_EQ(number(0.12345, "", 3), "0.123");
}

TEST(NumberFormat, ShortNumberFitsACell) {
  EXPECT_EQ(short_number(0.8649), ".86");
  EXPECT_EQ(short_number(1), "1.0");
  EXPECT_EQ(short_number(0.995), "1.0");
  EXPECT_EQ(short_number(0.9949), ".99");
  EXPECT_EQ(short_number(0.0049), "·");
  EXPECT_EQ(short_number(0.005001), ".01");
}

TEST(NumberFormat, ProbabilityInWordsHasLogPAndP) {
  EXPECT_EQ(probability_in_words(-0.25), "log p = -0.2500 (p = 0.779)");
  EXPECT_EQ(probability_in_words(-30), "log p = -30.0000 (p = 9.36e-14)");
}

TEST(NumberFormat, ComputesNormAndLargestMagnitude) {
  EXPECT_EQ(norm(std::vector<double>{3, -4}), 5);
  EXPECT_EQ(norm({}), 0);
  EXPECT_EQ(greatest_size(std::vector<double>{3, -4, kNan, kInfinity}), 4);
  EXPECT_EQ(greatest_size({}), 0);
}

TEST(NumberFormat, ContextVectorInWordsHasSizeAndNorm) {
  EXPECT_EQ(
      context_vector_in_words(std::vector<double>{3, -4}),
      "This model does not attend: it encodes the source into one vector of 2 values (norm 5.00), and the decoder sees "
      "nothing else of the source.");
}

}  // namespace
}  // namespace dhyan
