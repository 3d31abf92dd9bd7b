#include "nn/feed_forward.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "nn/testing/module_jacobian.h"

namespace dhyan {
namespace {

// One number in, two hidden ones (x and -x), and their sum out.
double fed_forward(std::string_view activation, double x) {
  ParameterSet parameters;
  const FeedForward feed(parameters, "feed", {.width = 1, .hidden = 2, .activation = std::string(activation)});
  const Real up[] = {1, -1}, down[] = {1, 10};
  std::ranges::copy(up, parameters.find("feed.in.weight")->value.data());
  std::ranges::copy(down, parameters.find("feed.out.weight")->value.data());
  parameters.find("feed.in.bias")->value.fill(Real(0.5));
  parameters.find("feed.out.bias")->value.fill(100);
  Arena arena;
  Scope scope(arena);
  return double{feed(scope.constant(Tensor::of({1, 1}, {static_cast<Real>(x)}))).value().item()};
}

TEST(FeedForward, IsAnActivationBetweenTwoLayers) {
  const double up = 2.5, down = -1.5;  // x + 1/2 and -x + 1/2 for x = 2
  EXPECT_NEAR(fed_forward("relu", 2), 100 + up, 1e-5);
  EXPECT_NEAR(fed_forward("relu", -1), 100 + 10 * 1.5, 1e-5);
  const auto swish = [](double x) { return x / (1 + std::exp(-x)); };
  EXPECT_NEAR(fed_forward("swish", 2), 100 + swish(up) + 10 * swish(down), 1e-4);
  const auto gelu = [](double x) { return x / 2 * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x))); };
  EXPECT_NEAR(fed_forward("gelu", 2), 100 + gelu(up) + 10 * gelu(down), 1e-4);
}

TEST(FeedForward, HasTheRightJacobianWithEveryActivation) {
  for (const Activation& activation : activations()) {
    ParameterSet parameters;
    const FeedForward feed(parameters, "feed", {.width = 2, .hidden = 3, .activation = std::string(activation.name)});
    randomise(parameters, 1);
    Rng rng(2);
    EXPECT_EQ(module_jacobian_mismatch(parameters, {random_tensor(rng, {2, 2})},
                                       [&](Scope&, const std::vector<Var>& in) { return feed(in[0]); }),
              "")
        << activation.name;
  }
}

TEST(FeedForward, DropsHiddenValuesInTrainingOnly) {
  ParameterSet parameters;
  const FeedForward feed(parameters, "feed", {.width = 1, .hidden = 200, .dropout = 0.5});
  for (Parameter& parameter : parameters) parameter.value.fill(1);
  const Tensor x = Tensor::of({1, 1}, {1});
  Arena arena;
  Scope plain(arena);
  EXPECT_EQ(feed(plain.constant(x)).value().item(), 200 * 2 + 1);
  GradientSet gradients(parameters);
  Tape tape(parameters);
  tape.start(gradients, Rng(1));
  Scope training(arena, tape);
  const double dropped = double{feed(training.constant(x)).value().item()};
  EXPECT_NE(dropped, 200 * 2 + 1);
  EXPECT_NEAR(dropped, 200 * 2 + 1, 150);
}

TEST(FeedForward, OfAnUnknownActivationListsTheKnownOnes) {
  ParameterSet parameters;
  EXPECT_EQ(
      thrown<ConfigError>([&] { FeedForward(parameters, "feed", {.width = 1, .hidden = 1, .activation = "maxout"}); }),
      "activation: 'maxout' is none of relu, gelu, gelu-erf, swish, gelu-sigmoid");
}

}  // namespace
}  // namespace dhyan
