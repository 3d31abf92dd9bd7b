#include "ops/alignment_loss.h"

#include <cmath>
#include <gtest/gtest.h>

#include "autograd/jacobian.h"
#include "core/error.h"
#include "core/testing/thrown.h"
#include "ops/arithmetic.h"

namespace dhyan {
namespace {

using kernels::WeightedLink;

const std::vector<WeightedLink> kThreeLinks{{0, 3, Real{0.5}}, {2, 3, Real{0.5}}, {1, 3, 1}};

TEST(AlignmentLoss, IsTheCrossEntropyWithTheMeanOfTheHeads) {
  Arena arena;
  Scope scope(arena);
  const Var weights = scope.constant(Tensor::of({6}, {0.5, 0.25, 0.25, 0.5, 0.5, 0}));
  EXPECT_NEAR(alignment_loss(weights, kThreeLinks, 2).value().item(),
              -(0.5 * std::log(0.5) + 0.5 * std::log(0.125) + std::log(0.375)), 1e-4);
  EXPECT_EQ(alignment_loss(weights, {}, 2).value().item(), 0);
}

TEST(AlignmentLoss, HasTheRightJacobian) {
  Rng rng(1);
  const auto twice = [](Scope&, const auto& in) {
    return add(alignment_loss(in[0], kThreeLinks, 2), scale(alignment_loss(in[0], kThreeLinks, 1), 2));
  };
  EXPECT_EQ(jacobian_mismatch(twice, {random_tensor(rng, {6}, 0.4, 1)}), "");
}

TEST(AlignmentLoss, RefusesALinkBeyondTheWeights) {
  Arena arena;
  Scope scope(arena);
  const Var weights = scope.constant(Tensor::zeros({5}));
  EXPECT_EQ(thrown<ShapeError>([&] { alignment_loss(weights, kThreeLinks, 2); }),
            "alignment_loss: a link at 2, the last of its heads at 5, of weights [5]");
}

}  // namespace
}  // namespace dhyan
