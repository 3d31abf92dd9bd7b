#include "backbones/conv_network.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <utility>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "nn/testing/module_jacobian.h"
#include "ops/pixels.h"

namespace dhyan {
namespace {

std::vector<std::uint8_t> random_bytes(Rng& rng, Index n) {
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(n));
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(rng.uniform(0, 256));
  return bytes;
}

TEST(ConvNetwork, TurnsPicturesIntoGridsByDefaultOf8By8) {
  ParameterSet parameters;
  const ConvNetwork network(parameters, "encoder.network", {.rng = Rng(1)});
  EXPECT_EQ(network.grid(), (GridShape{8, 8}));
  EXPECT_EQ(network.width(), 64);
  EXPECT_EQ(parameters.element_count(), 27 * 16 + 16 + 144 * 32 + 32 + 288 * 64 + 64 + 576 * 64 + 64 + 128);
  ASSERT_NE(parameters.find("encoder.network.2.weight"), nullptr);
  Arena arena;
  Scope scope(arena);
  Rng rng(2);
  const Var y = network(pixels(scope, random_bytes(rng, 3 * 64 * 64 * 3)));
  EXPECT_EQ(y.shape(), (Shape{3 * 64, 64}));
  for (Index r = 0; r < y.rows(); ++r) {
    double sum = 0;
    for (const Real v : y.value().row(r)) sum += v;
    EXPECT_NEAR(sum, 0, 1e-3) << "the norm of a cell has mean 0";
  }
}

// A cell's output must depend on as many pixels before its 8 x 8 square as behind it, to one pixel.
TEST(ConvNetwork, IsQuantizedExceptForTheLayerThatReadsPixels) {
  ParameterSet parameters;
  const ConvNetwork network(parameters, "n", {.rng = Rng::unused()});
  for (const int layer : {0, 1, 2, 3}) {
    EXPECT_EQ(parameters.find(cat("n.", layer, ".weight"))->role, layer == 0 ? Role::kOther : Role::kWeight) << layer;
  }
}

TEST(ConvNetwork, CentresReceptiveFieldsOnTheirCells) {
  ParameterSet parameters;
  const ConvNetwork network(parameters, "n", {.rng = Rng(1)});
  Index first = 64, last = -1;
  const Index cell = 4 * 8 + 4;
  for (Index column = 0; column < 64; ++column) {
    Arena arena;
    Scope scope(arena);
    const Tensor plain = Tensor::zeros({64 * 64, 3}), marked = Tensor::zeros({64 * 64, 3});
    for (Index row = 0; row < 64; ++row) std::ranges::fill(marked.row(row * 64 + column), Real{1});
    const Tensor before = network(scope.constant(plain)).value(), after = network(scope.constant(marked)).value();
    if (std::ranges::equal(before.row(cell), after.row(cell))) continue;
    first = std::min(first, column);
    last = std::max(last, column);
  }
  EXPECT_NEAR(static_cast<double>(first + last) / 2, 4 * 8 + 3.5, 0.51);
}

TEST(ConvNetwork, GivesAPictureTheSameBytesInAnyBatch) {
  ParameterSet parameters;
  const ConvNetwork network(parameters, "network", {.picture = {20, 14}, .rng = Rng(1)});
  Arena arena;
  Scope scope(arena);
  Rng rng(3);
  const Index size = 20 * 14 * 3;
  const std::vector<std::uint8_t> pictures = random_bytes(rng, 4 * size);
  const Tensor together = network(pixels(scope, pictures)).value();
  const Index cells = network.grid().cells();
  for (Index p = 0; p < 4; ++p) {
    const std::span one =
        std::span(pictures).subspan(static_cast<std::size_t>(p * size), static_cast<std::size_t>(size));
    EXPECT_TRUE(std::ranges::equal(network(pixels(scope, one)).value().span(),
                                   together.row_range(p * cells, (p + 1) * cells).span()));
  }
}

TEST(ConvNetwork, HasTheRightJacobian) {
  ParameterSet parameters;
  const ConvNetwork network(parameters, "network", {.picture = {4, 4}, .layers = {{2, 2}, {8, 1}}, .rng = Rng(1)});
  randomise(parameters, 5, 0.2);
  for (const auto& [bias, far] : {std::pair("network.0.bias", Real{3}), std::pair("network.1.bias", Real{20})}) {
    for (Real& b : parameters.find(bias)->value.span()) b += far;  // from the kink of relu
  }
  Rng rng(4);
  EXPECT_EQ(module_jacobian_mismatch(parameters, {random_tensor(rng, {2 * 16, 3})},
                                     [&](Scope&, const std::vector<Var>& in) { return network(in[0]); }),
            "");
}

TEST(ConvNetwork, NamesPicturesOfAnotherSize) {
  ParameterSet parameters;
  const ConvNetwork network(parameters, "network", {});
  Arena arena;
  Scope scope(arena);
  EXPECT_EQ(thrown<ShapeError>([&] {
              network(scope.constant(Tensor::zeros({1000, 3})));
            }),
            "conv2d: x is [1000,3], expected rows of grids of 64x64");
  EXPECT_THROW(ConvNetwork(parameters, "none", {.layers = {}}), ConfigError);
}

}  // namespace
}  // namespace dhyan
