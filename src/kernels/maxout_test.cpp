#include "kernels/maxout.h"

#include <gtest/gtest.h>
#include <vector>

namespace dhyan::kernels {
namespace {

using Numbers = std::vector<Real>;

TEST(MaxoutKernel, TakesTheLargestOfEachGroup) {
  Numbers y(3);
  maxout(Numbers{1, 5, -2, -3, 4, 4}, 2, y);
  EXPECT_EQ(y, (Numbers{5, -2, 4}));
  maxout(Numbers{1, 5, -2}, 1, y);
  EXPECT_EQ(y, (Numbers{1, 5, -2}));
}

TEST(MaxoutKernel, SendsTheGradientToTheFirstLargest) {
  Numbers dx{1, 1, 1, 1, 1, 1};
  maxout_backward(Numbers{1, 5, -2, -3, 4, 4}, 2, Numbers{10, 20, 30}, dx);
  EXPECT_EQ(dx, (Numbers{1, 11, 21, 1, 31, 1}));
}

}  // namespace
}  // namespace dhyan::kernels
