#include "models/grid_input.h"

#include <bit>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "kernels/bfloat16/bfloat16.h"
#include "models/grid_encoder.h"
#include "models/testing/tiny_captions.h"
#include "ops/pixels.h"

namespace dhyan {
namespace {

ModelConfig pretrained() {
  return {.source_vocabulary = 5,
          .target_vocabulary = 5,
          .hidden = 8,
          .encoder = "efficientnet-lite0",
          .backbone = {.grid_size = 14}};
}

SourceBatch numbered(std::span<const TokenId> numbers, const PictureSource& pictures) {
  return {.tokens = numbers, .segments = Segments::singles(std::ssize(numbers)), .pictures = &pictures};
}

// Features of a frozen backbone for other pictures, as in a cache.
class Features final : public PictureSource {
 public:
  Features(const Backbone& network, const PictureSource& pictures) : network_(network), pictures_(pictures) {}

  PictureFormat format() const override {
    return {.content = PictureContent::kFeatures, .size = network_.grid(), .channels = network_.width()};
  }
  void read(TokenId number, std::span<std::byte> to) const override {
    std::vector<std::uint8_t> rgb(pictures_.format().bytes());
    pictures_.read(number, std::as_writable_bytes(std::span(rgb)));
    Arena arena;
    Scope scope(arena);
    auto* bits = reinterpret_cast<std::uint16_t*>(to.data());
    for (const Real x : network_(pixels(scope, rgb)).value().span()) {
      *bits++ = static_cast<std::uint16_t>(kernels::bfloat16_bits(static_cast<float>(x)));
    }
  }

 private:
  const Backbone& network_;
  const PictureSource& pictures_;
};

TEST(GridInput, HasCellsWithPositions) {
  ModelConfig config = tiny_captions();
  config.hidden = config.backbone.width = 4;  // no projection
  ParameterSet parameters;
  const GridInput input(parameters, "encoder", config, Rng(1));
  EXPECT_EQ(parameters.find("encoder.projection.weight"), nullptr);
  for (Parameter& weight : parameters) weight.value.fill(0);
  const std::span<Real> rows = parameters.find("encoder.positions.rows.table")->value.span();
  const std::span<Real> columns = parameters.find("encoder.positions.columns.table")->value.span();
  std::ranges::copy(std::vector<Real>{1, 2, 3, 4}, rows.begin());
  std::ranges::copy(std::vector<Real>{5, 6, 7, 8}, columns.begin());
  Arena arena;
  Scope scope(arena);
  const std::vector<TokenId> numbers{4, 2};
  const Ragged cells = input(scope, numbered(numbers, FakePictures(GridShape{8, 8})));
  EXPECT_EQ(cells.rows.shape(), (Shape{8, 4}));
  EXPECT_EQ(cells.segments, Segments::from_lengths({4, 4}));
  for (const Index picture : {0, 4}) {
    const std::span<const Real> below_left = cells.rows.value().row(picture + 2);  // row 1, column 0
    EXPECT_EQ(std::vector(below_left.begin(), below_left.end()), (std::vector<Real>{3, 4, 5, 6}));
  }
}

TEST(GridInput, ProjectsCellsOfAnotherWidth) {
  ParameterSet parameters;
  const GridInput input(parameters, "encoder", tiny_captions(), Rng(1));
  EXPECT_EQ(parameters.find("encoder.projection.weight")->value.shape(), (Shape{3, 4}));
}

TEST(GridInput, GivesTheSameForFeaturesAsForTheirPixels) {
  ParameterSet parameters;
  const GridEncoder encoder(parameters, pretrained(), Rng(1));
  ParameterSet alone;
  const auto network = backbones().back().make(alone, "encoder.backbone", pretrained().backbone, Rng(1));
  for (const Parameter& weight : alone) {
    ASSERT_TRUE(std::ranges::equal(weight.value.span(), parameters.find(weight.name)->value.span()));
  }
  const FakePictures pictures(network->picture());
  const Features features(*network, pictures);
  const std::vector<TokenId> numbers{1, 0};
  Arena arena;
  Scope scope(arena);
  const EncodedSource of_pixels = encoder(scope, numbered(numbers, pictures));
  const EncodedSource of_features = encoder(scope, numbered(numbers, features));
  EXPECT_EQ(of_pixels.annotations.rows.shape(), (Shape{2 * 14 * 14, 8}));
  EXPECT_TRUE(
      std::ranges::equal(of_pixels.annotations.rows.value().span(), of_features.annotations.rows.value().span()));
}

TEST(GridInput, RefusesFeaturesOfAnotherNetwork) {
  ParameterSet parameters;
  const GridInput input(parameters, "encoder", pretrained(), Rng::unused());
  Arena arena;
  Scope scope(arena);
  const std::vector<TokenId> numbers{1};
  const FakePictures others({.content = PictureContent::kFeatures, .size = {7, 7}, .channels = 320});
  EXPECT_EQ(thrown<UsageError>([&] { input(scope, numbered(numbers, others)); }),
            "features are 7 x 7 cells of 320; expected those of a frozen backbone, 14 x 14 cells of 112");
  ModelConfig tuned = pretrained();
  tuned.backbone.tuned_blocks = 1;
  ParameterSet more;
  const GridInput trained(more, "encoder", tuned, Rng::unused());
  const FakePictures same({.content = PictureContent::kFeatures, .size = {14, 14}, .channels = 112});
  EXPECT_THROW(trained(scope, numbered(numbers, same)), UsageError);
}

TEST(GridEncoder, NormalisesCells) {
  ParameterSet parameters;
  ModelConfig config = tiny_captions();
  config.dropout = 0.5;  // not without a tape
  const GridEncoder encoder(parameters, config, Rng(1));
  EXPECT_EQ(encoder.width(), 4);
  EXPECT_FALSE(encoder.has_states());
  EXPECT_EQ(annotation_segments(encoder, Segments::singles(3)), Segments::from_lengths({4, 4, 4}));
  Arena arena;
  Scope scope(arena);
  const std::vector<TokenId> numbers{4};
  const EncodedSource source = encoder(scope, numbered(numbers, FakePictures(GridShape{8, 8})));
  EXPECT_TRUE(source.finals.empty());
  for (Index cell = 0; cell < 4; ++cell) {
    double sum = 0, squares = 0;
    for (const Real x : source.annotations.rows.value().row(cell)) {
      sum += double{x};
      squares += double{x} * double{x};
    }
    EXPECT_NEAR(sum, 0, 1e-5);
    EXPECT_NEAR(squares / 4, 1, 1e-2);
  }
}

}  // namespace
}  // namespace dhyan
