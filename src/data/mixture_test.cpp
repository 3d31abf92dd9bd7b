#include "data/mixture.h"

#include <gtest/gtest.h>
#include <map>

#include "core/error.h"
#include "core/testing/thrown.h"

namespace dhyan {
namespace {

// How often an epoch holds each (corpus, pair).
std::map<std::pair<std::size_t, Index>, int> counts(const Mixture& mixture, std::uint64_t seed, std::uint64_t epoch) {
  std::map<std::pair<std::size_t, Index>, int> counts;
  for (Index buffer = 0; buffer < mixture.buffers(epoch); ++buffer) {
    for (const auto& run : mixture.runs(seed, epoch, buffer)) {
      for (Index pair = run.first; pair < run.last; ++pair) ++counts[{run.corpus, pair}];
    }
  }
  return counts;
}

TEST(Mixture, ContainsEveryPairOncePerEpoch) {
  const Mixture mixture({{1000, 50'000, 1, 8}, {77, 700, 1, 1}}, 6'000);
  EXPECT_EQ(mixture.buffers(0), 9);
  for (const std::uint64_t epoch : {0U, 1U, 7U}) {
    const auto found = counts(mixture, 3, epoch);
    EXPECT_EQ(found.size(), 1077U);
    for (const auto& [pair, times] : found) EXPECT_EQ(times, 1);
  }
}

TEST(Mixture, FollowsTheWeights) {
  const Mixture mixture({{100, 1000, 2, 1}, {100, 1000, 0.25, 1}, {100, 1000, 0, 1}}, 300);
  std::map<std::pair<std::size_t, Index>, int> sum;
  for (std::uint64_t epoch = 0; epoch < 4; ++epoch) {
    int drawn = 0;
    for (const auto& [pair, times] : counts(mixture, 3, epoch)) {
      EXPECT_EQ(times, pair.first == 0 ? 2 : 1);
      drawn += pair.first == 1;
      sum[pair] += times;
    }
    EXPECT_EQ(drawn, 25);
  }
  EXPECT_EQ(sum.size(), 200U);  // four epochs contain the corpus of weight 1/4 once, and the last corpus never
  for (const auto& [pair, times] : sum) EXPECT_EQ(times, pair.first == 0 ? 8 : 1);
}

TEST(Mixture, MixesTheCorporaInEveryBuffer) {
  const Mixture mixture({{1000, 10'000, 1, 1}, {500, 5'000, 2, 1}}, 1'000);
  for (Index buffer = 0; buffer < mixture.buffers(0); ++buffer) {
    int of[2] = {};
    for (const auto& run : mixture.runs(1, 0, buffer)) ++of[run.corpus];
    EXPECT_EQ(of[0], of[1]);
  }
}

TEST(Mixture, OrdersEpochsAndSeedsDifferently) {
  const Mixture mixture({{1000, 10'000, 1, 1}}, 2'000);
  EXPECT_EQ(mixture.runs(1, 0, 2), mixture.runs(1, 0, 2));
  EXPECT_NE(mixture.runs(1, 0, 2), mixture.runs(1, 1, 2));
  EXPECT_NE(mixture.runs(1, 0, 2), mixture.runs(2, 0, 2));
}

TEST(Mixture, FillsABufferFromTheWholeCorpus) {
  const Mixture mixture({{64'000, 640'000, 1, 64}}, 64'000);  // a tenth: 100 runs
  int tenths[10] = {};
  for (const auto& run : mixture.runs(1, 0, 0)) ++tenths[run.first / 6'400];
  for (const int runs : tenths) EXPECT_GT(runs, 1);
}

TEST(Mixture, UsesLongRunsForLargeCorporaOnly) {
  EXPECT_EQ(pairs_of_a_run(0), 1);
  EXPECT_EQ(pairs_of_a_run(100'000), 1);
  EXPECT_EQ(pairs_of_a_run(5'000'000), 8);
  EXPECT_EQ(pairs_of_a_run(1'000'000'000), 64);
}

TEST(Mixture, RefusesInvalidWeightsAndSizes) {
  EXPECT_EQ(thrown<DataError>([] { Mixture({{0, 0, 1, 1}}, 10); }), "batches: 1 corpora, but not one pair in an epoch");
  EXPECT_EQ(thrown<ConfigError>([] {
              Mixture({{5, 5, -1, 1}}, 10);
            }),
            "batches: corpus 0 has weight -1, expected 0 to 1e+06");
  EXPECT_EQ(thrown<ConfigError>([] {
              Mixture({{5, 5, 1, 1}}, 0);
            }),
            "batches: a shuffle buffer of 0 tokens, expected at least 1");
  const Mixture mixture({{5, 5, 1, 1}}, 10);
  EXPECT_EQ(thrown<UsageError>([&] { mixture.runs(1, 0, 1); }), "batches: shuffle buffer 1 of 1");
}

}  // namespace
}  // namespace dhyan
