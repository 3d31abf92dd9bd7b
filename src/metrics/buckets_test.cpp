#include "metrics/buckets.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"

namespace dhyan {
namespace {

// Scores the sum of the counts.
class Sum final : public Metric {
 public:
  std::string name() const override { return "sum"; }
  std::string settings() const override { return ""; }
  Counts counts(std::string_view, std::span<const std::string>) const override { return {1}; }
  double score(const Counts& sums) const override { return sums[0]; }
};

TEST(Buckets, ContainTheSentencesUpToTheirBound) {
  const std::vector<Counts> sentences{{1}, {2}, {4}, {8}, {16}, {32}};
  const std::vector<Index> lengths{10, 0, 11, 31, 1000, 1}, bounds{10, 20, 30};
  const std::vector<Bucket> buckets = by_length(Sum(), sentences, lengths, bounds);
  ASSERT_EQ(buckets.size(), 3u) << "21 to 30 is empty";
  EXPECT_EQ(buckets[0].from, 0);
  EXPECT_EQ(buckets[0].to, 10);
  EXPECT_EQ(buckets[0].sentences, 3);
  EXPECT_EQ(buckets[0].score, 1 + 2 + 32);
  EXPECT_EQ(buckets[1].from, 11);
  EXPECT_EQ(buckets[1].score, 4);
  EXPECT_EQ(buckets[2].from, 31);
  EXPECT_EQ(buckets[2].to, -1);
  EXPECT_EQ(buckets[2].score, 8 + 16);
}

TEST(Buckets, AreEmptyWithoutSentences) { EXPECT_TRUE(by_length(Sum(), {}, {}, std::vector<Index>{5}).empty()); }

TEST(Buckets, WithoutBoundsFormASingleBucket) {
  const std::vector<Bucket> buckets = by_length(Sum(), std::vector<Counts>{{1}, {2}}, std::vector<Index>{3, 50}, {});
  ASSERT_EQ(buckets.size(), 1u);
  EXPECT_EQ(buckets[0].score, 3);
}

TEST(Buckets, NeedBoundsThatAscend) {
  EXPECT_THROW(by_length(Sum(), {}, {}, std::vector<Index>{5, 5}), UsageError);
  EXPECT_EQ(thrown<UsageError>([] {
              by_length(Sum(), {}, {}, std::vector<Index>{3, 9, 5});
            }),
            "buckets of lengths: 5 comes after 9; expected lengths that ascend");
}

TEST(Buckets, NeedALengthForEachSentence) {
  EXPECT_THROW(by_length(Sum(), std::vector<Counts>{{1}}, {}, {}), UsageError);
}

}  // namespace
}  // namespace dhyan
