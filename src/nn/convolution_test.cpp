#include "nn/convolution.h"

#include <gtest/gtest.h>

#include "nn/testing/module_jacobian.h"

namespace dhyan {
namespace {

TEST(Convolutions, HaveWeightsByTapsAndABiasThatBeginsAtZero) {
  ParameterSet parameters;
  const ConvolutionOptions options{.in = 3, .out = 5, .filter = {{.kernel = 3, .stride = 2}}, .rng = Rng(1)};
  const Convolution full(parameters, "full", options);
  const DepthwiseConvolution depthwise(parameters, "depthwise", options);
  EXPECT_EQ(parameters.find("full.weight")->value.shape(), (Shape{27, 5}));
  EXPECT_EQ(parameters.find("full.weight")->role, Role::kWeight);
  EXPECT_EQ(parameters.find("depthwise.weight")->value.shape(), (Shape{9, 3}));
  EXPECT_EQ(parameters.find("depthwise.weight")->role, Role::kOther);
  EXPECT_EQ(parameters.find("depthwise.bias")->value.shape(), (Shape{3}));
  for (const Real b : parameters.find("full.bias")->value.span()) EXPECT_EQ(b, 0);
  EXPECT_EQ(full.grid_of({7, 8}), (GridShape{4, 4}));
  EXPECT_EQ(depthwise.grid_of({7, 8}), (GridShape{4, 4}));
}

TEST(Convolutions, MayStayFloatInAnInt8Model) {
  ParameterSet parameters;
  const Convolution stem(parameters, "stem", {.in = 3, .out = 5, .role = Role::kOther});
  EXPECT_EQ(stem.weight().role, Role::kOther);
}

TEST(Convolutions, HaveTheRightJacobian) {
  ParameterSet parameters;
  const GridShape grid{4, 3};
  const Convolution full(parameters, "full", {.in = 2, .out = 3, .filter = {{.kernel = 3}}});
  const DepthwiseConvolution depthwise(parameters, "depthwise", {.in = 3, .filter = {{.kernel = 3, .stride = 2}}});
  randomise(parameters, 2, 0.5);
  Rng rng(3);
  EXPECT_EQ(
      module_jacobian_mismatch(parameters, {random_tensor(rng, {grid.cells(), 2})},
                               [&](Scope&, const std::vector<Var>& in) { return depthwise(full(in[0], grid), grid); }),
      "");
}

}  // namespace
}  // namespace dhyan
