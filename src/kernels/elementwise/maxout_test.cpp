#include "kernels/elementwise/maxout.h"

#include <gtest/gtest.h>
#include <vector>

namespace dhyan::kernels {
namespace {

using Values = std::vector<Real>;

TEST(MaxoutKernel, TakesTheLargestOfEachGroup) {
  Values y(3);
  maxout(Values{1, 5, -2, -3, 4, 4}, 2, y);
  EXPECT_EQ(y, (Values{5, -2, 4}));
  maxout(Values{1, 5, -2}, 1, y);
  EXPECT_EQ(y, (Values{1, 5, -2}));
}

TEST(MaxoutKernel, AddsTheGradientToTheFirstLargest) {
  Values dx{1, 1, 1, 1, 1, 1};
  maxout_backward(Values{1, 5, -2, -3, 4, 4}, 2, Values{10, 20, 30}, dx);
  EXPECT_EQ(dx, (Values{1, 11, 21, 1, 31, 1}));
}

}  // namespace
}  // namespace dhyan::kernels
