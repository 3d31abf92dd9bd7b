#include "kernels/attention/segment_softmax.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include "core/error.h"
#include "core/rng.h"
#include "kernels/testing/on_every_target.h"

namespace dhyan::kernels {
namespace {

std::vector<Real> softmax_of(const AttentionLayout& layout, const AttentionMask& mask,
                             const std::vector<Real>& energies) {
  std::vector<Real> weights(energies.size(), -1);
  segment_softmax(layout, mask, energies, weights);
  return weights;
}

TEST(SegmentSoftmax, GivesEachQueryOfEachHeadWeightsThatSumToOne) {
  on_every_target([] {
    const AttentionLayout layout{Segments::from_lengths({2, 0, 3}), Segments::from_lengths({21, 4, 1}), 2};
    ASSERT_EQ(layout.count(), 2 * (2 * 21 + 3 * 1));
    Rng rng(5);
    std::vector<Real> energies(static_cast<std::size_t>(layout.count()));
    for (Real& e : energies) e = static_cast<Real>(rng.uniform(-4, 4));
    const std::vector<Real> weights = softmax_of(layout, AttentionMask::all(), energies);
    for_each_block(layout, [&](const LayoutBlock& block) {
      for (Index t = 0; t < block.T; ++t) {
        double norm = 0, sum = 0;
        const auto at = [&](Index s) { return static_cast<std::size_t>(block.offset + t * block.S + s); };
        for (Index s = 0; s < block.S; ++s) norm += std::exp(double{energies[at(s)]});
        for (Index s = 0; s < block.S; ++s) {
          EXPECT_NEAR(weights[at(s)], std::exp(double{energies[at(s)]}) / norm, 1e-6);
          sum += weights[at(s)];
        }
        EXPECT_NEAR(sum, 1, 1e-6);
      }
    });
  });
}

// The kernel computes several heads at a time.
TEST(SegmentSoftmax, GivesARowTheSameBytesAsByItself) {
  Rng rng(6);
  for (Index S = 0; S <= 70; ++S) {
    const AttentionLayout layout{Segments::one(3), Segments::one(S), 3}, alone{Segments::one(1), Segments::one(S), 1};
    std::vector<Real> energies(static_cast<std::size_t>(layout.count()));
    for (Real& e : energies) e = static_cast<Real>(rng.uniform(-90, 4));
    if (S > 0) energies.back() = std::numeric_limits<Real>::quiet_NaN();
    for (Index s = 0; s < S; ++s) energies[static_cast<std::size_t>(s)] = -std::numeric_limits<Real>::infinity();
    on_every_target([&] {
      const std::vector<Real> together = softmax_of(layout, AttentionMask::all(), energies);
      for (std::size_t begin = 0; begin < energies.size(); begin += static_cast<std::size_t>(S)) {
        const auto row = std::span(energies).subspan(begin, static_cast<std::size_t>(S));
        const std::vector<Real> weights = softmax_of(alone, AttentionMask::all(), {row.begin(), row.end()});
        EXPECT_EQ(std::memcmp(weights.data(), together.data() + begin, row.size_bytes()), 0) << S << ' ' << begin;
      }
    });
  }
}

TEST(SegmentSoftmax, GivesZeroOutsideWindows) {
  const AttentionLayout layout{Segments::one(2), Segments::one(3), 1};
  const std::vector<KeyRange> windows{{0, 2}, {0, 3}};
  const std::vector<Real> weights = softmax_of(layout, AttentionMask::windows(windows), {0, 0, 7, 0, 0, 0});
  EXPECT_EQ(weights[0], Real{0.5});
  EXPECT_EQ(weights[1], Real{0.5});
  EXPECT_EQ(weights[2], 0);
  EXPECT_NEAR(weights[3], 1.0 / 3, 1e-6);
}

TEST(SegmentSoftmax, ClampsWindowsToTheSentenceAndTakesEmptyOnes) {
  const AttentionLayout layout{Segments::one(3), Segments::one(3), 1};
  const std::vector<KeyRange> windows{{-5, 1}, {2, 99}, {2, 2}};
  const std::vector<Real> weights = softmax_of(layout, AttentionMask::windows(windows), std::vector<Real>(9, 1));
  EXPECT_EQ(weights, (std::vector<Real>{1, 0, 0, 0, 0, 1, 0, 0, 0}));
}

TEST(SegmentSoftmax, GivesZerosForMinusInfinityAndNoNan) {
  on_every_target([] {
    const Real inf = std::numeric_limits<Real>::infinity();
    const AttentionLayout layout{Segments::one(1), Segments::one(3), 1};
    EXPECT_EQ(softmax_of(layout, AttentionMask::all(), {-inf, -inf, -inf}), (std::vector<Real>{0, 0, 0}));
    EXPECT_EQ(softmax_of(layout, AttentionMask::all(), {-inf, 2, -inf}), (std::vector<Real>{0, 1, 0}));
  });
}

TEST(SegmentSoftmax, RefusesTooFewWindows) {
  const AttentionLayout layout{Segments::one(3), Segments::one(2), 1};
  std::vector<Real> values(6);
  const std::vector<KeyRange> two(2);
  EXPECT_THROW(segment_softmax(layout, AttentionMask::windows(two), values, values), ShapeError);
}

TEST(SegmentSoftmax, RefusesUnequalNumbersOfSentences) {
  const AttentionLayout layout{Segments::from_lengths({1, 1}), Segments::one(2), 1};
  EXPECT_THROW(layout.count(), ShapeError);
}

}  // namespace
}  // namespace dhyan::kernels
