// EfficientNet-Lite0 equals the network it was taken from. Skipped where its weights are not beside the project.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "backbones/efficientnet_lite0.h"
#include "core/testing/temporary_folder.h"
#include "interop/parameter_file.h"
#include "interop/safetensors.h"
#include "ops/pixels.h"
#include "ops/prepack.h"

namespace dhyan {
namespace {

const std::filesystem::path kFolder = DHYAN_VISION;

class EfficientNet : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(kFolder / "test_vector.safetensors"))
      GTEST_SKIP() << kFolder << " does not have the weights of EfficientNet-Lite0 and its test vector";
  }

  // How far the grid after so many blocks is from that of the file, which has [C,h,w].
  struct Error {
    double mean, largest;  // relative to the root mean square of the grid
  };
  template <class Prepare>
  Error error_of(Index blocks, const char* tensor, const Prepare& prepare) {
    const SafetensorsFile vector(kFolder / "test_vector.safetensors");
    const auto picture = vector.find("input_u8_hwc")->bytes;
    ParameterSet parameters;
    const EfficientNetLite0 network(parameters, "encoder.network", {.blocks = blocks, .rng = Rng::unused()});
    load_efficientnet_lite0(kFolder / "efficientnet_lite0_backbone_folded.safetensors", parameters, "encoder.network");
    prepare(parameters);
    Arena arena;
    Scope scope(arena);
    const Var y = network(pixels(scope, {reinterpret_cast<const std::uint8_t*>(picture.data()), picture.size()}));
    const Tensor expected = vector.read(*vector.find(tensor));
    EXPECT_EQ(expected.shape(), (Shape{network.width(), network.grid().height, network.grid().width}));
    double difference = 0, square = 0, largest = 0;
    for (Index i = 0; i < y.value().size(); ++i) {
      const double e = expected.data()[i % y.cols() * y.rows() + i / y.cols()], d = y.value().data()[i] - e;
      difference += d * d, square += e * e, largest = std::max(largest, std::abs(d));
    }
    return {std::sqrt(difference / square), largest / std::sqrt(square / static_cast<double>(y.value().size()))};
  }

  void expect_grid(Index blocks, const char* tensor) {
    for (const bool prepacked : {false, true}) {
      const Error error = error_of(blocks, tensor, [&](ParameterSet& parameters) {
        if (prepacked) prepack(parameters);
      });
      EXPECT_LT(error.mean, 1e-5);
      EXPECT_LT(error.largest, 1e-4);
    }
  }
};

TEST_F(EfficientNet, GivesTheGridOfAllBlocks) { expect_grid(16, "stride32_320x7x7"); }
TEST_F(EfficientNet, GivesTheGridOfBlock10) { expect_grid(11, "stride16_112x14x14"); }

TEST_F(EfficientNet, IsNearInInt8) {
  const TemporaryFolder folder;
  const Error error = error_of(16, "stride32_320x7x7", [&](ParameterSet& parameters) {
    save_int8_parameters(folder.path() / "int8.safetensors", parameters);
    load_prepacked_parameters(folder.path() / "int8.safetensors", parameters);
  });
  EXPECT_LT(error.mean, 0.08);
  EXPECT_GT(error.mean, 0.001);
}

}  // namespace
}  // namespace dhyan
