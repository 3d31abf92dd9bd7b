#include "data/permutation.h"

#include <gtest/gtest.h>
#include <vector>

#include "core/error.h"
#include "core/testing/thrown.h"

namespace dhyan {
namespace {

std::vector<std::uint64_t> all(const Permutation& permutation) {
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t i = 0; i < permutation.size(); ++i) numbers.push_back(permutation[i]);
  return numbers;
}

TEST(Permutation, ContainsEveryNumberOnce) {
  for (std::uint64_t size : {1U, 2U, 3U, 15U, 16U, 17U, 255U, 256U, 257U, 1000U, 5000U}) {
    std::vector<int> seen(size);
    for (const std::uint64_t number : all(Permutation(size, Rng(size)))) {
      ASSERT_LT(number, size);
      ++seen[number];
    }
    for (const int times : seen) ASSERT_EQ(times, 1) << size;
  }
}

TEST(Permutation, DependsOnItsRngOnly) {
  EXPECT_EQ(all(Permutation(1000, Rng(7))), all(Permutation(1000, Rng(7))));
  EXPECT_NE(all(Permutation(1000, Rng(7))), all(Permutation(1000, Rng(8))));
  EXPECT_NE(all(Permutation(1000, Rng(7).split(0))), all(Permutation(1000, Rng(7).split(1))));
}

// Chi-squared of (place, number) over many orders: 5 x 5 cells, 16 degrees of freedom; 39.3 is exceeded once in 1000.
TEST(Permutation, IsUniform) {
  constexpr std::uint64_t kSize = 5;
  constexpr int kOrders = 5000;
  int cells[kSize][kSize] = {};
  for (int order = 0; order < kOrders; ++order) {
    const Permutation permutation(kSize, Rng(3).split(static_cast<std::uint64_t>(order)));
    for (std::uint64_t i = 0; i < kSize; ++i) ++cells[i][permutation[i]];
  }
  double chi_squared = 0;
  const double expected = double{kOrders} / kSize;
  for (const auto& row : cells) {
    for (const int count : row) chi_squared += (count - expected) * (count - expected) / expected;
  }
  EXPECT_LT(chi_squared, 39.3);
}

TEST(Permutation, PutsNeighboursFarApart) {
  constexpr std::uint64_t kSize = 100'000;
  const Permutation permutation(kSize, Rng(1));
  std::uint64_t ascents = 0, far = 0;
  for (std::uint64_t i = 1; i < kSize; ++i) {
    const std::uint64_t a = permutation[i - 1], b = permutation[i];
    ascents += a < b;
    far += (a < b ? b - a : a - b) > kSize / 100;
  }
  EXPECT_NEAR(static_cast<double>(ascents) / kSize, 0.5, 0.01);
  EXPECT_NEAR(static_cast<double>(far) / kSize, 0.98, 0.005);
}

TEST(Permutation, RefusesAnIndexOutOfRange) {
  EXPECT_EQ(thrown<UsageError>([&] { (void)Permutation(3, Rng(1))[3]; }), "Permutation: place 3 of 3");
}

}  // namespace
}  // namespace dhyan
