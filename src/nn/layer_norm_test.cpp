#include "nn/layer_norm.h"

#include <cmath>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "nn/testing/module_jacobian.h"

namespace dhyan {
namespace {

using Inputs = std::vector<Var>;

TEST(NormLayers, BeginWithoutGainOrBias) {
  ParameterSet parameters;
  const LayerNorm centred(parameters, "a", 2, 0);
  const RmsNorm scaled(parameters, "b", 2, 0);
  EXPECT_EQ(parameters.count(), 3u);
  Arena arena;
  Scope scope(arena);
  const Var x = scope.constant(Tensor::of({1, 2}, {1, 7}));
  EXPECT_NEAR(centred(x).value().data()[0], -1, 1e-6);
  EXPECT_NEAR(centred(x).value().data()[1], 1, 1e-6);
  EXPECT_NEAR(scaled(x).value().data()[0], 1 / 5.0, 1e-6);
  EXPECT_NEAR(scaled(x).value().data()[1], 7 / 5.0, 1e-6);
  EXPECT_EQ(centred(scope.constant(Tensor::zeros({0, 2}))).shape(), (Shape{0, 2}));
}

TEST(NormLayers, HaveTheRightJacobian) {
  ParameterSet parameters;
  const LayerNorm centred(parameters, "a", 4);
  const RmsNorm scaled(parameters, "b", 4);
  randomise(parameters, 4);
  Rng rng(5);
  const Tensor x = random_tensor(rng, {3, 4});
  EXPECT_EQ(module_jacobian_mismatch(parameters, {x},
                                     [&](Scope&, const Inputs& in) { return scaled(centred(centred(in[0]))); }),
            "");
}

TEST(NormLayers, RefuseAnotherWidth) {
  ParameterSet parameters;
  const LayerNorm norm(parameters, "a", 4);
  Arena arena;
  Scope scope(arena);
  EXPECT_EQ(thrown<ShapeError>([&] {
              norm(scope.constant(Tensor::zeros({1, 3})));
            }),
            "layer_norm: gain is [4], expected [3]");
}

}  // namespace
}  // namespace dhyan
