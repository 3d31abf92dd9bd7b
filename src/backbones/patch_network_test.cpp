#include "backbones/patch_network.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "nn/testing/module_jacobian.h"

namespace dhyan {
namespace {

TEST(PatchNetwork, GivesARowForEachPatch) {
  ParameterSet parameters;
  const PatchNetwork network(parameters, "n", {.picture = {24, 16}, .patch = 8, .width = 10, .rng = Rng(1)});
  EXPECT_EQ(network.grid(), (GridShape{3, 2}));
  EXPECT_EQ(network.width(), 10);
  EXPECT_EQ(parameters.find("n.patch.weight")->value.shape(), (Shape{192, 10}));
  Arena arena;
  Scope scope(arena);
  EXPECT_EQ(network(scope.constant(Tensor::zeros({2 * 24 * 16, 3}))).shape(), (Shape{12, 10}));
}

TEST(PatchNetwork, ReadsOnlyThePixelsOfEachPatch) {
  ParameterSet parameters;
  const PatchNetwork network(parameters, "n", {.picture = {4, 4}, .patch = 2, .width = 6, .rng = Rng(1)});
  Arena arena;
  Scope scope(arena);
  const Tensor black = Tensor::zeros({16, 3}), dot = Tensor::zeros({16, 3});
  dot.row(6)[1] = 1;  // in row 1 and column 2: the second patch
  const Tensor before = network(scope.constant(black)).value(), after = network(scope.constant(dot)).value();
  for (Index patch = 0; patch < 4; ++patch) {
    EXPECT_EQ(std::ranges::equal(before.row(patch), after.row(patch)), patch != 1) << patch;
  }
}

TEST(PatchNetwork, HasTheRightJacobian) {
  ParameterSet parameters;
  const PatchNetwork network(parameters, "n", {.picture = {4, 2}, .patch = 2, .width = 4, .rng = Rng(1)});
  randomise(parameters, 2);
  Rng rng(3);
  EXPECT_EQ(module_jacobian_mismatch(parameters, {random_tensor(rng, {2 * 8, 3})},
                                     [&](Scope&, const std::vector<Var>& in) { return network(in[0]); }),
            "");
}

TEST(PatchNetwork, RefusesPicturesThatPatchesDoNotCover) {
  ParameterSet parameters;
  EXPECT_EQ(thrown<ConfigError>([&] {
              PatchNetwork(parameters, "n", {.picture = {24, 20}, .patch = 8});
            }),
            "patches: pictures of 24x20 pixels, expected a multiple of the patch of 8");
}

}  // namespace
}  // namespace dhyan
