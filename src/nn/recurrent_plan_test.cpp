#include "nn/recurrent_plan.h"

#include <gtest/gtest.h>

namespace dhyan {
namespace {

using Ids = std::vector<RowId>;

Ids ids(std::span<const RowId> values) { return {values.begin(), values.end()}; }

TEST(RecurrentPlan, TakesTheLongestSentencesFirstAndDropsFinishedOnes) {
  const RecurrentPlan plan(Segments::from_lengths({2, 0, 3, 2}));  // rows 0-1, none, 2-4, 5-6
  EXPECT_EQ(plan.steps(), 3);
  EXPECT_EQ(ids(plan.sentences()), (Ids{2, 0, 3, 1}));
  EXPECT_EQ(ids(plan.ranks()), (Ids{1, 3, 0, 2}));
  const Index active[] = {3, 3, 1, 0}, begins[] = {0, 3, 6, 7};
  for (Index t = 0; t <= 3; ++t) {
    EXPECT_EQ(plan.active(t), active[t]);
    EXPECT_EQ(plan.begin(t), begins[t]);
  }
  EXPECT_EQ(ids(plan.to_time(Direction::kForward)), (Ids{2, 0, 5, 3, 1, 6, 4}));
  EXPECT_EQ(ids(plan.to_time(Direction::kBackward)), (Ids{4, 1, 6, 3, 0, 5, 2}));
  EXPECT_EQ(ids(plan.from_time(Direction::kForward)), (Ids{1, 4, 0, 3, 6, 2, 5}));
  EXPECT_EQ(ids(plan.from_time(Direction::kBackward)), (Ids{4, 1, 6, 3, 0, 5, 2}));
}

TEST(RecurrentPlan, HasNoStepsWithoutSentences) {
  for (const Segments& segments : {Segments(), Segments::from_lengths({0, 0})}) {
    const RecurrentPlan plan(segments);
    EXPECT_EQ(plan.steps(), 0);
    EXPECT_EQ(plan.active(0), 0);
    EXPECT_TRUE(plan.to_time(Direction::kForward).empty());
    EXPECT_EQ(std::ssize(plan.sentences()), segments.count());
  }
}

}  // namespace
}  // namespace dhyan
