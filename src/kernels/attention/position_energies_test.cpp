#include "kernels/attention/position_energies.h"

#include <gtest/gtest.h>

#include "core/testing/not_finite.h"
#include "kernels/testing/random_values.h"

namespace dhyan::kernels {
namespace {

using Values = std::vector<Real>;

TEST(PositionEnergies, CutToAShortSentenceAndHideTheEndOfALongOne) {
  Values by_position{1, 2, 3, 4, 5, 6};  // two queries, L = 3
  const AttentionLayout layout{Segments::singles(2), Segments::from_lengths({2, 4}), 1};
  Values e(6);
  position_energies(layout, matrix_of(by_position, 3), e);
  EXPECT_EQ(e, (Values{1, 2, 4, 5, 6, -kInfinity}));
}

TEST(PositionEnergies, DifferForEachHead) {
  Values by_position{1, 2, 3, 4, 5, 6, 7, 8};  // two queries, two heads, L = 2
  const AttentionLayout layout{Segments::one(2), Segments::one(2), 2};
  Values e(8);
  position_energies(layout, matrix_of(by_position, 4), e);
  EXPECT_EQ(e, (Values{1, 2, 5, 6, 3, 4, 7, 8}));
}

TEST(PositionEnergies, AddGradientsToThePositionsThatExist) {
  const AttentionLayout layout{Segments::singles(2), Segments::from_lengths({1, 4}), 1};
  Values du(6, 1);
  position_energies_backward(layout, Values{10, 20, 30, 40, 50}, matrix_of(du, 3));
  EXPECT_EQ(du, (Values{11, 1, 1, 21, 31, 41}));
}

TEST(LogGaussians, AreCentredInEachSentence) {
  // p = 4 * .5 = 2 and 2 * .25 = .5; σ = 2: e = -(j - p)² / 8
  const AttentionLayout layout{Segments::singles(2), Segments::from_lengths({4, 2}), 1};
  Values e(6);
  log_gaussians(layout, Values{0.5, 0.25}, 2, e);
  EXPECT_EQ(e, (Values{-0.5, -0.125, 0, -0.125, -0.03125, -0.03125}));
}

TEST(LogGaussians, SumTheGradientOfACentreOverKeysAndHeads) {
  const AttentionLayout layout{Segments::one(1), Segments::one(4), 2};
  Values dc{1};
  // Σ de (j - 2) 4 / 4 over j = 0..3: head 0 gives -2 - 0 + 1, head 1 gives 2 * 1
  log_gaussians_backward(layout, Values{0.5}, 2, Values{1, 0, 5, 1, 0, 0, 0, 2}, dc);
  EXPECT_EQ(dc, (Values{1 - 2 + 1 + 2}));
}

}  // namespace
}  // namespace dhyan::kernels
