#include "kernels/loss/alignment_loss.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace dhyan::kernels {
namespace {

TEST(AlignmentLossKernel, MatchesHandValues) {
  const std::vector<Real> weights{0.5, 0.5, 0.25, 0.75};  // two heads of two keys
  const std::vector<WeightedLink> links{{.first = 0, .stride = 2, .probability = 0.5},
                                        {.first = 1, .stride = 2, .probability = 0.5}};
  EXPECT_NEAR(alignment_loss(weights, links, 2), -0.5 * (std::log(0.375) + std::log(0.625)), 1e-5);
  std::vector<Real> gradient(4, 1);
  alignment_loss_backward(weights, links, 2, 2, gradient);
  EXPECT_NEAR(gradient[0], 1 - 2 * 0.5 / (2 * 0.375), 1e-4);
  EXPECT_NEAR(gradient[2], gradient[0], 1e-6);
  EXPECT_NEAR(gradient[3], 1 - 2 * 0.5 / (2 * 0.625), 1e-4);
}

TEST(AlignmentLossKernel, IsLargeAndFiniteForAMaskedKey) {
  const std::vector<Real> weights{0};
  const std::vector<WeightedLink> links{{.probability = 1}};
  EXPECT_NEAR(alignment_loss(weights, links, 1), -std::log(kMinWeight), 1e-3);
  EXPECT_EQ(alignment_loss(weights, {}, 1), 0);
}

}  // namespace
}  // namespace dhyan::kernels
