#include "ops/activations.h"

#include <cmath>
#include <gtest/gtest.h>

#include "autograd/jacobian.h"

namespace dhyan {
namespace {

TEST(Tanh, MatchesHandValues) {
  Arena arena;
  Scope scope(arena);
  const Var y = tanh(scope.constant(Tensor::of({3}, {0, 1, -2})));
  EXPECT_EQ(y.value().data()[0], 0);
  EXPECT_NEAR(y.value().data()[1], 0.7615941559557649, 1e-6);
  EXPECT_NEAR(y.value().data()[2], -0.9640275800758169, 1e-6);
}

TEST(Tanh, HasTheRightJacobian) {
  Rng rng(1);
  EXPECT_EQ(jacobian_mismatch([](Scope&, const std::vector<Var>& in) { return tanh(in[0]); },
                              {random_tensor(rng, {3, 7}, -2, 2)}),
            "");
}

}  // namespace
}  // namespace dhyan
