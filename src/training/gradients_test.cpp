#include "training/gradients.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "core/error.h"
#include "core/rng.h"
#include "core/thrown.h"
#include "training/chunks.h"

namespace dhyan {
namespace {

TEST(GlobalNorm, IsTheLengthOfAllGradientsTogether) {
  ParameterSet parameters;
  const Parameter& a = parameters.add("a", {2});
  const Parameter& table = parameters.add("table", {3, 2});
  GradientSet gradients(parameters);
  EXPECT_EQ(global_norm(gradients), 0);
  gradients[a].touch_all().span()[1] = 3;
  gradients[table].touch_row(2)[0] = -4;
  EXPECT_DOUBLE_EQ(global_norm(gradients), 5);
  EXPECT_EQ(global_norm(GradientSet(ParameterSet())), 0);
}

TEST(GlobalNorm, DoesNotLoseSmallNumbersAmongLargeOnes) {
  ParameterSet parameters;
  const Parameter& w = parameters.add("w", {1'000'000});
  GradientSet gradients(parameters);
  gradients[w].touch_all().fill(1e-3F);
  gradients[w].touch_all().span()[0] = 1e3F;
  EXPECT_NEAR(global_norm(gradients), std::sqrt(1e6 + 1), 1e-6);
}

TEST(Clipping, ScalesWhatIsTooLongAndLeavesWhatIsNot) {
  ParameterSet parameters;
  const Parameter& a = parameters.add("a", {2});
  const Parameter& table = parameters.add("table", {3, 2});
  GradientSet gradients(parameters);
  gradients[a].touch_all().span()[1] = 3;
  gradients[table].touch_row(2)[0] = -4;
  EXPECT_DOUBLE_EQ(clip_by_global_norm(gradients, 10), 5);
  EXPECT_EQ(gradients[a].value().span()[1], 3);
  EXPECT_DOUBLE_EQ(clip_by_global_norm(gradients, 1), 5);
  EXPECT_NEAR(gradients[a].value().span()[1], 0.6, 1e-6);
  EXPECT_NEAR(gradients[table].value().row(2)[0], -0.8, 1e-6);
  EXPECT_EQ(gradients[table].touched_rows().size(), 1U);
}

TEST(Clipping, LeavesWhatIsNotFiniteAndReportsIt) {
  ParameterSet parameters;
  const Parameter& a = parameters.add("a", {2});
  GradientSet gradients(parameters);
  gradients[a].touch_all().fill(5);
  gradients[a].touch_all().span()[0] = std::numeric_limits<Real>::infinity();
  EXPECT_TRUE(std::isinf(clip_by_global_norm(gradients, 1)));
  EXPECT_EQ(gradients[a].value().span()[1], 5);
}

TEST(Clipping, RefusesALimitThatIsNone) {
  GradientSet gradients{ParameterSet()};
  EXPECT_EQ(thrown<ConfigError>([&] { clip_by_global_norm(gradients, 0); }),
            "clip_by_global_norm: max_norm is 0, expected more than 0");
  EXPECT_THROW(clip_by_global_norm(gradients, std::nan("")), ConfigError);
}

// One weight over several chunks and a table of which each shard touches some rows.
struct Shards {
  ParameterSet parameters;
  std::vector<GradientSet> sets;

  explicit Shards(std::size_t count) {
    const Parameter& bias = parameters.add("bias", {5});
    const Parameter& weight = parameters.add("W", {kChunkElements / 32, 75});
    const Parameter& table = parameters.add("table", {kChunkElements / 4, 7});
    const Parameter& unused = parameters.add("unused", {4, 4});
    for (std::size_t i = 0; i < count; ++i) {
      Rng rng(i);
      GradientSet& set = sets.emplace_back(parameters);
      for (const Parameter* p : {&bias, &weight}) {
        for (Real& x : set[*p].touch_all().span()) x = static_cast<Real>(rng.uniform(-1, 1));
      }
      for (int n = 0; n < 40; ++n) {
        const auto row = static_cast<RowId>(rng.below(n < 20 ? 30 : table.value.rows()));
        for (Real& x : set[table].touch_row(row)) x = static_cast<Real>(rng.uniform(-1, 1));
      }
    }
    static_cast<void>(unused);
  }
};

// The tree by hand: what an element of shard 0 must become.
Real tree_sum(std::vector<Real> x) {
  for (std::size_t stride = 1; stride < x.size(); stride *= 2) {
    for (std::size_t i = 0; i + stride < x.size(); i += 2 * stride) x[i] += x[i + stride];
  }
  return x[0];
}

TEST(SumShards, AddsEveryElementInOneTreeOnAnyNumberOfThreads) {
  for (const std::size_t count : {1, 2, 3, 5, 8}) {
    const Shards before(count);
    for (const int threads : {1, 2, 5}) {
      ThreadPool pool(threads);
      Shards shards(count);
      sum_shards(pool, shards.sets);
      for (const Parameter& p : shards.parameters) {
        const std::span<const Real> sum = shards.sets[0][*shards.parameters.find(p.name)].value().span();
        std::size_t wrong = 0;
        for (std::size_t k = 0; k < sum.size(); ++k) {
          std::vector<Real> parts;
          for (const GradientSet& set : before.sets) parts.push_back(set[p].value().span()[k]);
          wrong += sum[k] != tree_sum(parts);
        }
        EXPECT_EQ(wrong, 0U) << p.name << ", " << count << " shards on " << threads << " threads";
      }
    }
  }
}

TEST(SumShards, TouchesOnlyTheRowsThatSomeShardTouched) {
  ParameterSet parameters;
  const Parameter& table = parameters.add("table", {9, 2});
  std::vector<GradientSet> shards;
  for (int i = 0; i < 3; ++i) shards.emplace_back(parameters);
  ThreadPool pool(2);
  for (int round = 0; round < 2; ++round) {  // the second time after clearing
    for (GradientSet& shard : shards) shard.clear();
    shards[0][table].touch_row(4)[0] = 1;
    shards[1][table].touch_row(7)[1] = 2;
    shards[2][table].touch_row(4)[0] = 4;
    sum_shards(pool, shards);
    const Gradient& sum = shards[0][table];
    EXPECT_EQ(std::vector<RowId>(sum.touched_rows().begin(), sum.touched_rows().end()), (std::vector<RowId>{4, 7}));
    EXPECT_FALSE(sum.all_touched());
    EXPECT_EQ(sum.value().row(4)[0], 5);
    EXPECT_EQ(sum.value().row(7)[1], 2);
    EXPECT_DOUBLE_EQ(global_norm(shards[0]), std::sqrt(29.0));
  }
  shards[2][table].touch_all().fill(1);
  shards[0].clear();
  shards[1].clear();
  sum_shards(pool, shards);
  EXPECT_TRUE(shards[0][table].all_touched());
  EXPECT_DOUBLE_EQ(global_norm(shards[0]), std::sqrt(18.0));
}

TEST(GlobalNorm, AndClippingGiveTheSameBytesOnAnyNumberOfThreads) {
  Shards here(1);
  const double norm = clip_by_global_norm(here.sets[0], 1);
  for (const int threads : {1, 2, 5}) {
    ThreadPool pool(threads);
    Shards there(1);
    EXPECT_EQ(clip_by_global_norm(there.sets[0], 1, &pool), norm);
    for (const Parameter& p : there.parameters) {
      EXPECT_TRUE(std::ranges::equal(there.sets[0][p].value().span(), here.sets[0][p].value().span())) << p.name;
    }
  }
}

}  // namespace
}  // namespace dhyan
