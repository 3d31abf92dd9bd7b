#include "kernels/attention/position_energies.h"

#include <gtest/gtest.h>

#include "core/testing/not_finite.h"
#include "kernels/testing/random_values.h"

namespace dhyan::kernels {
namespace {

using Operands = std::vector<Real>;

TEST(PositionEnergies, TakeTheFirstNumbersOfAShortSentenceAndHideTheEndOfALongOne) {
  Operands by_position{1, 2, 3, 4, 5, 6};  // two queries, L = 3
  const AttentionLayout layout{Segments::singles(2), Segments::from_lengths({2, 4}), 1};
  Operands e(6);
  position_energies(layout, matrix_of(by_position, 3), e);
  EXPECT_EQ(e, (Operands{1, 2, 4, 5, 6, -kInfinity}));
}

TEST(PositionEnergies, HaveNumbersForEachHead) {
  Operands by_position{1, 2, 3, 4, 5, 6, 7, 8};  // two queries, two heads, L = 2
  const AttentionLayout layout{Segments::one(2), Segments::one(2), 2};
  Operands e(8);
  position_energies(layout, matrix_of(by_position, 4), e);
  EXPECT_EQ(e, (Operands{1, 2, 5, 6, 3, 4, 7, 8}));
}

TEST(PositionEnergies, AddGradientsToThePositionsThatWereSeen) {
  const AttentionLayout layout{Segments::singles(2), Segments::from_lengths({1, 4}), 1};
  Operands du(6, 1);
  position_energies_backward(layout, Operands{10, 20, 30, 40, 50}, matrix_of(du, 3));
  EXPECT_EQ(du, (Operands{11, 1, 1, 21, 31, 41}));
}

TEST(LogGaussians, StandAroundTheCentreOfEachSentence) {
  // p = 4 * .5 = 2 and 2 * .25 = .5; σ = 2: e = -(j - p)² / 8
  const AttentionLayout layout{Segments::singles(2), Segments::from_lengths({4, 2}), 1};
  Operands e(6);
  log_gaussians(layout, Operands{0.5, 0.25}, 2, e);
  EXPECT_EQ(e, (Operands{-0.5, -0.125, 0, -0.125, -0.03125, -0.03125}));
}

TEST(LogGaussians, SumTheGradientOfACentreOverKeysAndHeads) {
  const AttentionLayout layout{Segments::one(1), Segments::one(4), 2};
  Operands dc{1};
  // Σ de (j - 2) 4 / 4 over j = 0..3: head 0 gives -2 - 0 + 1, head 1 gives 2 * 1
  log_gaussians_backward(layout, Operands{0.5}, 2, Operands{1, 0, 5, 1, 0, 0, 0, 2}, dc);
  EXPECT_EQ(dc, (Operands{1 - 2 + 1 + 2}));
}

}  // namespace
}  // namespace dhyan::kernels
