#include "backbones/backbones.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"

namespace dhyan {
namespace {

TEST(Backbones, TellTheirShapeWithoutWeights) {
  for (const BackboneEntry& entry : backbones()) {
    for (const Index grid_size : {7, 14}) {
      const BackboneSettings settings{.image_size = 96, .patch_size = 16, .width = 24, .grid_size = grid_size};
      ParameterSet parameters;
      const auto network = entry.make(parameters, "network", settings, Rng(1));
      const BackboneShape shape = backbone_shape(entry.name, settings);
      EXPECT_EQ(shape.picture, network->picture()) << entry.name;
      EXPECT_EQ(shape.grid, network->grid()) << entry.name;
      EXPECT_EQ(shape.width, network->width()) << entry.name;
      const auto weights = static_cast<double>(parameters.element_count());
      EXPECT_LE(entry.least_weights(settings), weights) << entry.name;
      EXPECT_GE(entry.least_weights(settings), 0.1 * weights) << entry.name;
    }
  }
}

TEST(Backbones, RefuseImpossibleSettings) {
  EXPECT_EQ(thrown<ConfigError>([] { backbone_shape("efficientnet-lite0", {.grid_size = 8}); }),
            "grid-size is 8, expected 7 or 14");
  EXPECT_EQ(thrown<ConfigError>([] { backbone_shape("patches", {.image_size = 20, .patch_size = 8}); }),
            "patches: pictures of 20x20 pixels, expected a multiple of the patch of 8");
  EXPECT_THROW(backbone_shape("camera", {}), ConfigError);
}

TEST(Backbones, FreezeAllButTheTunedBlocks) {
  const BackboneEntry& entry = backbones().back();
  EXPECT_EQ(entry.frozen({}, "net").size(), 17u);
  EXPECT_EQ(entry.frozen({.grid_size = 14, .tuned_blocks = 3}, "net").back(), "net.blocks.7");
  EXPECT_EQ(thrown<ConfigError>([&] { entry.frozen({.grid_size = 14, .tuned_blocks = 12}, "net"); }),
            "tuned-blocks is 12, and the backbone has 11 blocks");
}

}  // namespace
}  // namespace dhyan
