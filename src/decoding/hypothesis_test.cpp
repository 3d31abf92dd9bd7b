#include "decoding/hypothesis.h"

#include <gtest/gtest.h>

namespace dhyan {
namespace {

TEST(Hypothesis, LengthPenaltyOneComparesMeanLogProbabilities) {
  EXPECT_DOUBLE_EQ(normalised(-6, 3, 1), -2);
  EXPECT_DOUBLE_EQ(normalised(-6, 4, 0.5), -3);
}

TEST(Hypothesis, WithoutLengthPenaltyTheScoreIsTheLogProbability) {
  EXPECT_EQ(normalised(-6, 3, 0), -6);
  EXPECT_EQ(normalised(0, 0, 1), 0);
}

TEST(Hypothesis, WuNormAddsFiveToTheLength) {
  EXPECT_DOUBLE_EQ(normalised(-6, 1, 0.6, LengthNorm::kWu), -6);
  EXPECT_DOUBLE_EQ(normalised(-6, 7, 1, LengthNorm::kWu), -3);
  EXPECT_DOUBLE_EQ(normalised(-6, 19, 0.5, LengthNorm::kWu), -3);
  EXPECT_EQ(normalised(-6, 7, 0, LengthNorm::kWu), -6);
}

}  // namespace
}  // namespace dhyan
