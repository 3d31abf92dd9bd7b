#include "kernels/attention/hard_attention.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "kernels/testing/random_values.h"

namespace dhyan::kernels {
namespace {

using Values = std::vector<Real>;

TEST(ChooseLargest, GivesOneToTheFirstOfTheHeaviestKeys) {
  const AttentionLayout layout{Segments::from_lengths({2, 1}), Segments::from_lengths({3, 2}), 1};
  Values chosen(8, 7);
  choose_largest(layout, Values{0.2, 0.5, 0.3, 0.4, 0.2, 0.4, 0.1, 0.9}, chosen);
  EXPECT_EQ(chosen, (Values{0, 1, 0, 1, 0, 0, 0, 1}));
}

TEST(ChooseLargest, ChoosesNothingIfAllWeightsAreZeroAndKeepsNan) {
  const AttentionLayout layout{Segments::from_lengths({1, 1, 1}), Segments::from_lengths({2, 0, 2}), 1};
  Values chosen(4, 7);
  choose_largest(layout, Values{0, 0, 0.5, std::numeric_limits<Real>::quiet_NaN()}, chosen);
  EXPECT_EQ(chosen[0], 0);
  EXPECT_EQ(chosen[1], 0);
  EXPECT_TRUE(std::isnan(chosen[2]));
}

TEST(ChooseAtRandom, DrawsWithTheProbabilitiesOfTheWeights) {
  constexpr Index kDraws = 20000;
  const AttentionLayout layout{Segments::one(kDraws), Segments::one(4), 1};
  const Real p[] = {0.1, 0, 0.6, 0.3};
  Values weights, chosen(4 * kDraws);
  for (Index i = 0; i < kDraws; ++i) weights.insert(weights.end(), std::begin(p), std::end(p));
  choose_at_random(layout, weights, 0, Rng(3), chosen);
  double counts[4] = {};
  for (Index i = 0; i < kDraws; ++i) {
    double row = 0;
    for (std::size_t j = 0; j < 4; ++j) {
      const Real x = chosen[static_cast<std::size_t>(4 * i) + j];
      ASSERT_TRUE(x == 0 || x == 1);
      counts[j] += x;
      row += x;
    }
    ASSERT_EQ(row, 1);
  }
  for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(counts[j] / kDraws, p[j], 0.015);  // four standard deviations
  EXPECT_EQ(counts[1], 0);
}

TEST(ChooseAtRandom, KeepsTheWeightsOfAsManySentencesAsItIsTold) {
  constexpr std::size_t kSentences = 10000;
  const std::vector<Index> two(kSentences, 2);
  const AttentionLayout layout{Segments::from_lengths(two), Segments::from_lengths(two), 1};
  Values weights, chosen(4 * kSentences);
  for (std::size_t i = 0; i < 2 * kSentences; ++i) weights.insert(weights.end(), {0.25, 0.75});
  choose_at_random(layout, weights, 1, Rng(5), chosen);
  EXPECT_EQ(chosen, weights);
  choose_at_random(layout, weights, 0.5, Rng(5), chosen);
  int kept = 0, second = 0;
  for (std::size_t i = 0; i < chosen.size(); i += 4) {
    const bool keeps = chosen[i] == weights[i];
    kept += keeps;
    for (const std::size_t at : {i, i + 2}) {
      ASSERT_EQ(chosen[at], keeps ? weights[at] : 1 - chosen[at + 1]);
      if (!keeps) second += chosen[at + 1] == 1;
    }
  }
  EXPECT_NEAR(kept, 5000, 200);            // four standard deviations
  EXPECT_NEAR(second, 0.75 * 10000, 200);  // of the two queries of each sentence that draws
}

TEST(ChooseAtRandom, DependsOnlyOnItsRng) {
  const AttentionLayout layout{Segments::one(30), Segments::one(2), 1};
  const Values even(60, 0.5);
  Values first(60), again(60), other(60);
  choose_at_random(layout, even, 0.5, Rng(1), first);
  choose_at_random(layout, even, 0.5, Rng(1), again);
  choose_at_random(layout, even, 0.5, Rng(2), other);
  EXPECT_EQ(first, again);
  EXPECT_NE(first, other);
}

TEST(ChooseAtRandom, TakesTheLastWeightWhenRoundingLeavesNone) {
  // The float nearest to .1, ten times: the sum and the running difference may disagree. Every draw must choose a key.
  const AttentionLayout layout{Segments::one(500), Segments::one(11), 1};
  Values weights;
  for (int i = 0; i < 500; ++i) {
    weights.insert(weights.end(), 10, Real{0.1});
    weights.push_back(0);
  }
  Values chosen(weights.size());
  choose_at_random(layout, weights, 0, Rng(4), chosen);
  double sum = 0;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    sum += chosen[i];
    EXPECT_TRUE(i % 11 != 10 || chosen[i] == 0);
  }
  EXPECT_EQ(sum, 500);
}

}  // namespace
}  // namespace dhyan::kernels
