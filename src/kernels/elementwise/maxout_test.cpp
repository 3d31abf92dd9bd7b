#include "kernels/elementwise/maxout.h"

#include <gtest/gtest.h>
#include <vector>

namespace dhyan::kernels {
namespace {

using Operands = std::vector<Real>;

TEST(MaxoutKernel, TakesTheLargestOfEachGroup) {
  Operands y(3);
  maxout(Operands{1, 5, -2, -3, 4, 4}, 2, y);
  EXPECT_EQ(y, (Operands{5, -2, 4}));
  maxout(Operands{1, 5, -2}, 1, y);
  EXPECT_EQ(y, (Operands{1, 5, -2}));
}

TEST(MaxoutKernel, SendsTheGradientToTheFirstLargest) {
  Operands dx{1, 1, 1, 1, 1, 1};
  maxout_backward(Operands{1, 5, -2, -3, 4, 4}, 2, Operands{10, 20, 30}, dx);
  EXPECT_EQ(dx, (Operands{1, 11, 21, 1, 31, 1}));
}

}  // namespace
}  // namespace dhyan::kernels
