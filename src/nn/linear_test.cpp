#include "nn/linear.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "nn/testing/module_jacobian.h"

namespace dhyan {
namespace {

using Inputs = std::vector<Var>;

TEST(LinearLayer, MatchesHandValuesWithAndWithoutBias) {
  ParameterSet parameters;
  const Linear with(parameters, "up", 2, 3), without(parameters, "down", 2, 3, {.bias = false});
  parameters.find("up.weight")->value = Tensor::of({2, 3}, {1, 2, 3, 4, 5, 6});
  parameters.find("up.bias")->value = Tensor::of({3}, {10, 20, 30});
  parameters.find("down.weight")->value = Tensor::of({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(parameters.count(), 3u);
  EXPECT_EQ(without.bias(), nullptr);
  Arena arena;
  Scope scope(arena);
  const Var x = scope.constant(Tensor::of({1, 2}, {1, -1}));
  const Tensor a = with(x).value(), b = without(x).value();
  for (int j = 0; j < 3; ++j) {
    EXPECT_EQ(a.data()[j], -3 + 10 * (j + 1));
    EXPECT_EQ(b.data()[j], -3);
  }
  EXPECT_EQ(with(scope.constant(Tensor::zeros({0, 2}))).shape(), (Shape{0, 3}));
}

TEST(LinearLayer, HasTheRightJacobianWhenUsedTwice) {
  ParameterSet parameters;
  const Linear layer(parameters, "square", 3, 3);
  randomise(parameters, 1);
  Rng rng(2);
  EXPECT_EQ(module_jacobian_mismatch(parameters, {random_tensor(rng, {2, 3})},
                                     [&](Scope&, const Inputs& in) { return layer(layer(in[0])); }),
            "");
}

TEST(LinearLayer, HasTheConfiguredInitialWeightsAndABiasOfZero) {
  ParameterSet parameters;
  const Linear layer(parameters, "l", 2, 2, {.weight = {.name = "constant", .number = 3}, .rng = Rng(1)});
  for (const Real x : layer.weight().value.span()) EXPECT_EQ(x, 3);
  for (const Real x : layer.bias()->value.span()) EXPECT_EQ(x, 0);
}

TEST(LinearLayer, RefusesAnotherWidthAndATakenName) {
  ParameterSet parameters;
  const Linear layer(parameters, "l", 2, 3);
  Arena arena;
  Scope scope(arena);
  EXPECT_EQ(thrown<ShapeError>([&] {
              layer(scope.constant(Tensor::zeros({1, 3})));
            }),
            "linear: inner dimensions differ: x is [1,3], weight is [2,3]");
  EXPECT_EQ(thrown<ConfigError>([&] { Linear(parameters, "l", 2, 3); }),
            "ParameterSet: there are two parameters named 'l.weight'");
}

}  // namespace
}  // namespace dhyan
