#include "kernels/rows/top_k.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "core/testing/not_finite.h"
#include "kernels/rows/softmax.h"
#include "kernels/testing/on_every_target.h"
#include "kernels/testing/random_values.h"

namespace dhyan::kernels {
namespace {

std::vector<Ranked> top_k(const std::vector<Real>& x, Index k) {
  const auto n = static_cast<Index>(x.size());
  std::vector<Ranked> best(static_cast<std::size_t>(k));
  top_k_rows({x.data(), 1, n, n}, k, best);
  return best;
}

std::vector<Ranked> by_sorting(const std::vector<Real>& x, Index k) {
  std::vector<Ranked> all;
  for (std::size_t i = 0; i < x.size(); ++i) all.push_back({static_cast<RowId>(i), x[i]});
  std::ranges::stable_sort(all, std::ranges::greater(), &Ranked::value);
  all.resize(static_cast<std::size_t>(k));
  return all;
}

TEST(TopK, EqualsSortingForEveryLengthAndOnEveryTarget) {
  on_every_target([] {
    Rng rng(1);
    for (const Index n : kLengths) {
      for (Index k = 0; k <= n; ++k) {
        const std::vector<Real> x = random_values(rng, n);
        EXPECT_EQ(top_k(x, k), by_sorting(x, k)) << n << ' ' << k;
      }
    }
  });
}

TEST(TopK, GivesEqualValuesInTheOrderOfTheirColumns) {
  on_every_target([] {
    Rng rng(2);
    for (int round = 0; round < 50; ++round) {
      std::vector<Real> x = random_values(rng, 200);
      for (Real& value : x) value = std::round(value);
      for (const Index k : {1, 2, 7, 40}) EXPECT_EQ(top_k(x, k), by_sorting(x, k));
    }
    std::vector<Real> x = random_values(rng, 1000);
    for (Real& value : x) value = std::round(4 * value);
    for (const Index k : {1, 3, 16, 17}) EXPECT_EQ(top_k(x, k), by_sorting(x, k));
  });
}

TEST(TopK, GivesColumnsOfTheRowIfItContainsNan) {
  on_every_target([] {
    Rng rng(3);
    for (const Index every : {1, 7, 16, 299}) {
      std::vector<Real> x = random_values(rng, 600);
      for (Index i = every - 1; i < 600; i += every) x[static_cast<std::size_t>(i)] = kNan;
      for (const Index k : {1, 3, 6}) {
        for (const Ranked& one : top_k(x, k)) {
          EXPECT_GE(one.column, 0);
          EXPECT_LT(one.column, 600);
        }
      }
    }
  });
}

TEST(TopK, TakesRisingFallingAndInfiniteRows) {
  on_every_target([] {
    std::vector<Real> x(100);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<Real>(i);
    EXPECT_EQ(top_k(x, 5), by_sorting(x, 5));
    std::ranges::reverse(x);
    EXPECT_EQ(top_k(x, 5), by_sorting(x, 5));
    x.assign(40, -kInfinity);
    x[33] = 1;
    x[35] = kInfinity;
    EXPECT_EQ(top_k(x, 3), (std::vector<Ranked>{{35, kInfinity}, {33, 1}, {0, -kInfinity}}));
  });
}

TEST(TopK, ReadsOnlyTheColumnsOfAWiderMatrix) {
  on_every_target([] {
    const std::vector<Real> x{1, 3, 2, 9, 6, 5, 4, 9};
    std::vector<Ranked> best(4);
    top_k_rows({x.data(), 2, 3, 4}, 2, best);
    EXPECT_EQ(best, (std::vector<Ranked>{{1, 3}, {2, 2}, {0, 6}, {1, 5}}));
  });
}

// Long and short rows, with random values, equal values and infinities.
TEST(TopK, WithLogSumEqualsBothKernels) {
  on_every_target([] {
    Rng rng(4);
    for (const Index n : {1, 5, 40, 255, 256, 257, 300, 1000, 1031}) {
      for (const Index k : {0, 1, 3, 7, 40}) {
        if (k > n) continue;
        std::vector<Real> x = random_values(rng, 3 * n, -20, 20);
        for (Index i = 0; i < n; ++i) x[static_cast<std::size_t>(i)] = std::round(x[static_cast<std::size_t>(i)]);
        for (Index i = n; i < 2 * n; i += 3) x[static_cast<std::size_t>(i)] = -kInfinity;
        const ConstMatrix rows{x.data(), 3, n, n};
        std::vector<Ranked> best(static_cast<std::size_t>(3 * k)), alone = best;
        std::vector<double> log_sums(3), log_sums_alone(3);
        log_sum_and_top_k_rows(rows, log_sums, k, best);
        top_k_rows(rows, k, alone);
        log_sum_exp_rows(rows, log_sums_alone);
        EXPECT_EQ(best, alone) << n << ' ' << k;
        EXPECT_EQ(log_sums, log_sums_alone) << n << ' ' << k;
      }
    }
  });
}

TEST(TopK, WithLogSumPropagatesNan) {
  on_every_target([] {
    for (const std::size_t place : {0u, 1u, 17u, 599u}) {
      std::vector<Real> x(600, 1);
      x[place] = kNan;
      std::vector<Ranked> best(3);
      double log_sum = 0;
      log_sum_and_top_k_rows({x.data(), 1, 600, 600}, {&log_sum, 1}, 3, best);
      EXPECT_TRUE(std::isnan(log_sum)) << place;
    }
  });
}

}  // namespace
}  // namespace dhyan::kernels
