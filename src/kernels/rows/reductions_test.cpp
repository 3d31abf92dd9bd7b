#include "kernels/rows/reductions.h"

#include <gtest/gtest.h>

#include "kernels/testing/on_every_target.h"
#include "kernels/testing/random_values.h"

namespace dhyan::kernels {
namespace {

using Values = std::vector<Real>;

TEST(Reductions, AddUpInDoubleOnEveryTarget) {
  on_every_target([] {
    Rng rng(8);
    for (const Index n : kLengths) {
      const Values x = random_values(rng, n);
      double expected = 0, squares = 0;
      for (const Real v : x) {
        expected += v;
        squares += double{v} * v;
      }
      EXPECT_NEAR(sum(x), expected, 1e-12) << n;
      EXPECT_NEAR(sum_of_squares(x), squares, 1e-12) << n;
    }
  });
}

TEST(Reductions, KeepSmallValuesBesideALargeOne) {
  on_every_target([] {
    Values x(1001, Real{1});
    x[0] = Real{1 << 24};  // in float, adding 1 to it changes nothing
    EXPECT_EQ(sum(x), (1 << 24) + 1000);
    EXPECT_EQ(sum_of_squares(x), 0x1p48 + 1000);
  });
}

}  // namespace
}  // namespace dhyan::kernels
