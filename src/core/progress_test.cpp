#include "core/progress.h"

#include <gtest/gtest.h>

namespace dhyan {
namespace {

TEST(EstimatedTotal, ExtrapolatesFromTheFractionOfTheInputThatWasRead) {
  EXPECT_EQ(estimated_total(50, 1000, 4000), 201);
  EXPECT_EQ(estimated_total(50, 4000, 4000), 50);
  EXPECT_EQ(estimated_total(50, 5000, 4000), 50) << "a file that grew";
  EXPECT_EQ(estimated_total(0, 1000, 4000), 1);
  EXPECT_EQ(estimated_total(50, 0, 4000), std::nullopt);
  EXPECT_EQ(estimated_total(50, 1000, 0), std::nullopt) << "standard input";
}

}  // namespace
}  // namespace dhyan
