#include "nn/residual_norm.h"

#include <gtest/gtest.h>

#include "nn/testing/module_jacobian.h"

namespace dhyan {
namespace {

std::vector<Real> ended(const ResidualNormOptions& options, const Tensor& x, const Tensor& h) {
  ParameterSet parameters;
  const ResidualNorm end(parameters, "layer", h.cols(), options);
  Arena arena;
  Scope scope(arena);
  const Var y = end(scope.constant(x), scope.constant(h));
  return {y.value().span().begin(), y.value().span().end()};
}

TEST(ResidualNorm, NormalisesFirstAndAddsTheInputThen) {
  const Tensor x = Tensor::of({1, 2}, {10, 20}), h = Tensor::of({1, 2}, {1, 5}), wide = Tensor::of({1, 3}, {7, 8, 9});
  EXPECT_EQ(ended({}, x, h), (std::vector<Real>{1, 5}));
  EXPECT_EQ(ended({.residual = true}, x, h), (std::vector<Real>{11, 25}));
  EXPECT_EQ(ended({.residual = true}, wide, h), (std::vector<Real>{1, 5}));
  const std::vector<Real> normed = ended({.layer_norm = true}, x, h);  // mean 3, deviation 2
  EXPECT_NEAR(normed[0], -1, 1e-5);
  EXPECT_NEAR(normed[1], 1, 1e-5);
  EXPECT_NEAR(ended({.layer_norm = true, .residual = true}, x, h)[1], 21, 1e-5);
}

TEST(ResidualNorm, AddsNoInputThatIsNotThere) {
  ParameterSet parameters;
  const ResidualNorm end(parameters, "layer", 1, {.residual = true});
  Arena arena;
  Scope scope(arena);
  EXPECT_EQ(end({}, scope.constant(Tensor::of({1, 1}, {3}))).value().item(), 3);
}

TEST(ResidualNorm, HasTheRightJacobian) {
  ParameterSet parameters;
  const ResidualNorm end(parameters, "layer", 3, {.layer_norm = true, .residual = true});
  EXPECT_NE(parameters.find("layer.norm.gain"), nullptr);
  randomise(parameters, 1);
  Rng rng(2);
  EXPECT_EQ(module_jacobian_mismatch(parameters, {random_tensor(rng, {2, 3}), random_tensor(rng, {2, 3})},
                                     [&](Scope&, const std::vector<Var>& in) { return end(in[0], in[1]); }),
            "");
}

}  // namespace
}  // namespace dhyan
