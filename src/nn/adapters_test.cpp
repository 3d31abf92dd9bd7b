#include "nn/adapters.h"

#include <gtest/gtest.h>

#include "nn/feed_forward.h"
#include "nn/testing/module_jacobian.h"

namespace dhyan {
namespace {

using Inputs = std::vector<Var>;

Tensor outputs(const FeedForward& feed, const Tensor& x) {
  Arena arena;
  Scope scope(arena);
  return feed(scope.constant(x)).value().clone();
}

TEST(Adapters, ChangeNothingUntilTheyAreTrained) {
  ParameterSet parameters;
  const FeedForward feed(parameters, "feed", {.width = 4, .hidden = 6});
  randomise(parameters, 1);
  Rng rng(2);
  const Tensor x = random_tensor(rng, {3, 4});
  const Tensor before = outputs(feed, x);
  add_adapters(parameters, {.rank = 2}, Rng(3));
  EXPECT_EQ(parameters.count(), 8u) << "two weights, two biases, and two matrices for each weight";
  EXPECT_EQ(parameters.find("feed.in.weight.adapter.down")->value.shape(), (Shape{4, 2}));
  EXPECT_EQ(parameters.find("feed.in.weight.adapter.up")->value.shape(), (Shape{2, 6}));
  const Tensor after = outputs(feed, x);
  for (Index i = 0; i < before.size(); ++i) EXPECT_NEAR(after.data()[i], before.data()[i], 1e-6);
}

TEST(Adapters, AreAddedToTheProductsOfTheirWeights) {
  ParameterSet parameters;
  const Linear layer(parameters, "l", 2, 1);
  add_adapters(parameters, {.rank = 1, .alpha = 3}, Rng(1));
  parameters.find("l.weight")->value = Tensor::of({2, 1}, {1, 10});
  parameters.find("l.weight.adapter.down")->value = Tensor::of({2, 1}, {1, -1});
  parameters.find("l.weight.adapter.up")->value = Tensor::of({1, 1}, {2});
  Arena arena;
  Scope scope(arena);
  EXPECT_EQ(layer(scope.constant(Tensor::of({1, 2}, {5, 4}))).value().item(), 5 + 40 + 3 * (5 - 4) * 2);
}

TEST(Adapters, HaveTheRightJacobianWithEveryActivation) {
  for (const Activation& activation : activations()) {
    ParameterSet parameters;
    const FeedForward feed(parameters, "feed", {.width = 3, .hidden = 4, .activation = std::string(activation.name)});
    add_adapters(parameters, {.rank = 2, .alpha = 3}, Rng(1));
    randomise(parameters, 1);
    parameters.find("feed.in.bias")->value = Tensor::of({4}, {4, -4, 4, -4});  // far from the kink of relu
    Rng rng(2);
    EXPECT_EQ(module_jacobian_mismatch(parameters, {random_tensor(rng, {2, 3})},
                                       [&](Scope&, const Inputs& in) { return feed(in[0]); }),
              "")
        << activation.name;
  }
}

TEST(Adapters, ComputeTheSameWhenTheyAreMerged) {
  ParameterSet adapted, plain;
  const FeedForwardOptions options{.width = 5, .hidden = 7, .activation = "gelu"};
  const FeedForward with(adapted, "feed", options), without(plain, "feed", options);
  add_adapters(adapted, {.rank = 3}, Rng(1));
  randomise(adapted, 4);
  for (Parameter& parameter : plain) {
    const Parameter& was = *adapted.find(parameter.name);
    parameter.value = was.adapter ? merged(was) : was.value;
  }
  Rng rng(2);
  const Tensor x = random_tensor(rng, {3, 5});
  const Tensor a = outputs(with, x), b = outputs(without, x);
  for (Index i = 0; i < a.size(); ++i) EXPECT_NEAR(a.data()[i], b.data()[i], 1e-4);
}

}  // namespace
}  // namespace dhyan
