#include "core/rng.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <set>
#include <vector>

#include "core/error.h"

namespace dhyan {
namespace {

// Known answers of philox4x32-10, published with [salmon2011].
TEST(Rng, GivesThePublishedPhiloxBlocks) {
  EXPECT_EQ(Rng(0, 0).block(0), (Rng::Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(Rng(UINT64_MAX, UINT64_MAX).block(UINT64_MAX),
            (Rng::Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(Rng(0x299f31d0a4093822, 0x0370734413198a2e).block(0x85a308d3243f6a88),
            (Rng::Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Rng, DrawsTheWordsOfItsBlocksInOrder) {
  Rng rng(5, 6);
  for (std::uint64_t i = 0; i < 3; ++i) {
    const Rng::Block block = rng.block(i);
    for (const std::uint32_t word : block) EXPECT_EQ(rng.next(), word);
  }
  EXPECT_EQ(rng.position(), 12u);
}

TEST(Rng, ContinuesFromAnyPositionAsIfItHadDrawnThereItself) {
  Rng original(9);
  std::vector<std::uint32_t> words(20);
  std::ranges::generate(words, [&] { return original.next(); });
  for (std::size_t position = 0; position < words.size(); ++position) {
    Rng resumed(9);
    resumed.seek(position);
    EXPECT_EQ(resumed.position(), position);
    for (std::size_t i = position; i < words.size(); ++i) EXPECT_EQ(resumed.next(), words[i]);
  }
}

TEST(Rng, SplitDoesNotDependOnEarlierDraws) {
  Rng fresh(3), used(3);
  for (int i = 0; i < 7; ++i) used.next();
  EXPECT_EQ(fresh.split(11).next(), used.split(11).next());
  EXPECT_EQ(used.position(), 7u);
}

TEST(Rng, SplitsShareNothing) {
  // 64 streams of 64 words: two equal ones among 4,096 of 2^32 would be a 1 in 500 accident, and the seed is fixed.
  const Rng root(1);
  std::set<std::uint32_t> seen;
  for (std::uint64_t name = 0; name < 32; ++name) {
    Rng child = root.split(name), grandchild = child.split(name);
    for (int i = 0; i < 64; ++i) {
      seen.insert(child.next());
      seen.insert(grandchild.next());
    }
  }
  EXPECT_EQ(seen.size(), 4096u);
  EXPECT_NE(Rng(1).split(0).next(), Rng(1).next());
  EXPECT_NE(Rng(1).split(0).next(), Rng(2).split(0).next());
  EXPECT_NE(Rng(1, 0).split(0).next(), Rng(1, 1).split(0).next());
}

TEST(Rng, SplitsAreUncorrelated) {
  Rng a = Rng(1).split(0), b = Rng(1).split(1);
  constexpr int kDraws = 20'000;
  double product = 0;
  for (int i = 0; i < kDraws; ++i) product += (a.uniform() - 0.5) * (b.uniform() - 0.5);
  EXPECT_LT(std::abs(product * 12 / kDraws), 4 / std::sqrt(kDraws));
}

TEST(Rng, UniformFillsItsIntervalEvenly) {
  Rng rng(2);
  constexpr int kDraws = 20'000, kBins = 10;
  std::vector<int> bins(kBins);
  for (int i = 0; i < kDraws; ++i) {
    const double x = rng.uniform(-1, 3);
    ASSERT_GE(x, -1);
    ASSERT_LT(x, 3);
    ++bins[static_cast<std::size_t>((x + 1) / 4 * kBins)];
  }
  for (const int count : bins) EXPECT_NEAR(count, kDraws / kBins, 200);
}

TEST(Rng, NormalHasMeanZeroAndVarianceOne) {
  Rng rng(4);
  constexpr int kDraws = 40'000;
  double sum = 0, squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = rng.normal();
    ASSERT_TRUE(std::isfinite(x));
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / kDraws, 0, 0.02);
  EXPECT_NEAR(squares / kDraws, 1, 0.03);
}

TEST(Rng, BelowGivesEveryNumberOfItsRangeEquallyOften) {
  Rng rng(6);
  constexpr int kDraws = 21'000;
  std::vector<int> counts(7);
  for (int i = 0; i < kDraws; ++i) ++counts.at(rng.below(7));
  for (const int count : counts) EXPECT_NEAR(count, kDraws / 7, 220);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(rng.below(1), 0u);
}

TEST(Rng, BelowDoesNotFavourSmallNumbersOfALargeRange) {
  // With 3/4 of 2^64 a plain remainder would give the lower third twice as often as the others.
  Rng rng(8);
  constexpr int kDraws = 9'000;
  const std::uint64_t n = std::uint64_t{3} << 62;
  int lower_third = 0;
  for (int i = 0; i < kDraws; ++i) {
    const std::uint64_t x = rng.below(n);
    ASSERT_LT(x, n);
    lower_third += x < n / 3 ? 1 : 0;
  }
  EXPECT_NEAR(lower_third, kDraws / 3, 200);
}

TEST(Rng, BelowTakesTheLowWordFirst) {
  Rng rng(10);
  const Rng::Block block = rng.block(0);
  EXPECT_EQ(rng.below(UINT64_MAX), block[0] | std::uint64_t{block[1]} << 32);
}

TEST(Rng, BelowZeroIsAUsageError) {
  Rng rng(1);
  EXPECT_THROW(rng.below(0), UsageError);
}

}  // namespace
}  // namespace dhyan
