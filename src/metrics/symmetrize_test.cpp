#include "metrics/symmetrize.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace dhyan {
namespace {

using enum Symmetrization;

// Source words across, target words down; f forward, r reverse, b both:
//
//     0 1 2 3 4
//   0 b . . . .
//   1 . f . . .      next to 0-0; neither word has a link
//   2 . r b . .      1-2 is next to 1-1 and 2-2; target 2 has a link, source 1 only once 1-1 is there
//   3 . . . . .
//   4 . . . . f      far from all others
const Links kForward{{0, 0}, {1, 1}, {2, 2}, {4, 4}};
const Links kReverse{{0, 0}, {1, 2}, {2, 2}};

TEST(Symmetrize, IntersectsAndUnites) {
  EXPECT_EQ(symmetrize(kIntersection, kForward, kReverse), (Links{{0, 0}, {2, 2}}));
  EXPECT_EQ(symmetrize(kUnion, kForward, kReverse), (Links{{0, 0}, {1, 1}, {1, 2}, {2, 2}, {4, 4}}));
}

TEST(Symmetrize, GrowsToNeighboursThatLinkAWordWithoutOne) {
  // 1-1 is added beside 0-0. 1-2 is then a neighbour whose words both have links.
  EXPECT_EQ(symmetrize(kGrowDiag, kForward, kReverse), (Links{{0, 0}, {1, 1}, {2, 2}}));
}

TEST(Symmetrize, GrowsOnFromLinksThatItAdded) {
  const Links forward{{0, 0}, {1, 1}, {2, 2}, {3, 3}}, reverse{{0, 0}};
  EXPECT_EQ(symmetrize(kGrowDiag, forward, reverse), forward);
}

TEST(Symmetrize, DoesNotGrowAcrossAGap) {
  EXPECT_EQ(symmetrize(kGrowDiag, {{0, 0}, {2, 2}}, {{0, 0}}), (Links{{0, 0}}));
}

TEST(Symmetrize, AddsFarLinksAtTheEndIfBothWordsHaveNone) {
  EXPECT_EQ(symmetrize(kGrowDiagFinalAnd, kForward, kReverse), (Links{{0, 0}, {1, 1}, {2, 2}, {4, 4}}));
  // 4-0 is far, and target 0 has a link
  EXPECT_EQ(symmetrize(kGrowDiagFinalAnd, {{0, 0}, {4, 0}}, {{0, 0}}), (Links{{0, 0}}));
  // The links of the forward direction come first: 5-5 leaves no place for 5-7.
  EXPECT_EQ(symmetrize(kGrowDiagFinalAnd, {{0, 0}, {5, 5}}, {{0, 0}, {5, 7}}), (Links{{0, 0}, {5, 5}}));
}

TEST(Symmetrize, IsBetweenIntersectionAndUnion) {
  for (const SymmetrizationKind& kind : kSymmetrizations) {
    const Links links = symmetrize(kind.value, kForward, kReverse);
    EXPECT_TRUE(std::ranges::is_sorted(links)) << kind.name;
    EXPECT_TRUE(std::ranges::includes(links, symmetrize(kIntersection, kForward, kReverse))) << kind.name;
    EXPECT_TRUE(std::ranges::includes(symmetrize(kUnion, kForward, kReverse), links)) << kind.name;
    EXPECT_TRUE(symmetrize(kind.value, {}, {}).empty()) << kind.name;
    EXPECT_EQ(symmetrize(kind.value, {{1, 0}, {1, 0}}, {{1, 0}}), (Links{{1, 0}})) << kind.name;
  }
}

TEST(LinkAgreement, IsTheShareOfCommonLinks) {
  LinkAgreement agreement;
  EXPECT_EQ(agreement.value(), 0);
  agreement.add({{0, 0}, {1, 1}}, {{0, 0}});
  agreement.add({{2, 2}}, {{2, 3}, {3, 3}});
  EXPECT_DOUBLE_EQ(agreement.value(), 2.0 / 6);
}

}  // namespace
}  // namespace dhyan
