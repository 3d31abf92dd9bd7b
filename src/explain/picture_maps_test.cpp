#include "explain/picture_maps.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>

#include "core/error.h"
#include "explain/testing/example_picture.h"

namespace dhyan {
namespace {

TEST(PictureMaps, AreRefusedUnlessWeightsFitTheGrid) {
  EXPECT_NO_THROW(expect_maps(example_picture()));
  PictureMaps maps = example_picture();
  maps.words[1].weights.pop_back();
  try {
    expect_maps(maps);
    FAIL();
  } catch (const ShapeError& error) {
    EXPECT_STREQ(error.what(), "photo.jpg: 'dog' has 5 weights for a grid of 2 x 3");
  }
  maps = example_picture();
  maps.picture.pixels.clear();
  EXPECT_THROW(expect_maps(maps), ShapeError);
  maps = example_picture();
  maps.rows = maps.columns = 0;
  for (WordMap& word : maps.words) word.weights.clear();
  EXPECT_THROW(expect_maps(maps), ShapeError);
}

TEST(PictureMaps, NameTheCellWithTheGreatestWeight) {
  const PictureMaps maps = example_picture();
  EXPECT_EQ(peak_in_words(maps, maps.words[1]), "dog: greatest weight 0.7500, in row 2 of 2 and column 2 of 3");
}

TEST(SmoothWeights, OfAUniformMapAreUniform) {
  PictureMaps maps = example_picture();
  maps.words[0].weights.assign(6, 1.0 / 6);
  for (const double weight : smooth_weights(maps, maps.words[0], 20, 30)) EXPECT_NEAR(weight, 1, 1e-12);
}

TEST(SmoothWeights, AreGreatestWhereTheModelLooks) {
  const PictureMaps maps = example_picture();
  const std::vector<double> smooth = smooth_weights(maps, maps.words[1], 20, 30);
  const auto peak = std::ranges::max_element(smooth) - smooth.begin();
  EXPECT_DOUBLE_EQ(smooth[static_cast<std::size_t>(peak)], 1);
  EXPECT_GE(peak / 30, 10) << "in the lower row";
  EXPECT_NEAR(static_cast<double>(peak % 30), 14.5, 3) << "in the middle column";
  EXPECT_LT(smooth[0], 0.1);
}

TEST(SmoothWeights, AreMirroredWithTheMap) {
  PictureMaps maps = example_picture();
  const std::vector<double> before = smooth_weights(maps, maps.words[1], 8, 9);
  std::ranges::reverse(maps.words[1].weights);
  std::vector<double> after = smooth_weights(maps, maps.words[1], 8, 9);
  std::ranges::reverse(after);
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_NEAR(before[i], after[i], 1e-12);
}

TEST(SmoothWeights, AcceptNanAndInfinity) {
  PictureMaps maps = example_picture();
  maps.words[0].weights = {0, 0, 0, 0, 0, std::numeric_limits<double>::quiet_NaN()};
  for (const double weight : smooth_weights(maps, maps.words[0], 4, 4)) EXPECT_EQ(weight, 0);
  EXPECT_EQ(peak_of(maps, maps.words[0]).weight, 0);
}

TEST(Lighting, LeavesABrightPictureAsItIs) {
  const Picture picture = example_picture().picture;
  EXPECT_EQ(Lighting(picture).lit(), picture);
}

TEST(Lighting, BrightensADarkPicture) {
  Picture picture = example_picture().picture;
  std::ranges::fill(picture.pixels, std::uint8_t{20});
  picture.pixels[0] = 0;
  picture.pixels[1] = 255;
  const Lighting lighting(picture);
  EXPECT_EQ(lighting.lit().pixels[0], 0);
  EXPECT_EQ(lighting.lit().pixels[1], 255);
  EXPECT_GT(lighting.lit().pixels[2], 40);
}

// The brightness of a grey pixel must grow with the weight, in dark and in bright pictures.
TEST(Lighting, ShowsGreaterWeightsBrighter) {
  for (const int grey : {0, 20, 128, 255}) {
    Picture picture = example_picture().picture;
    std::ranges::fill(picture.pixels, static_cast<std::uint8_t>(grey));
    const Lighting lighting(picture);
    double before = -1;
    for (const double weight : {0.0, 0.25, 0.5, 0.75, 1.0}) {
      const auto [colour, opacity] = lighting.over(weight);
      const double value = lighting.lit().pixels[0] * (1 - opacity) + colour[0] * opacity;
      EXPECT_GT(value, before + 4) << grey << ", " << weight;
      before = value;
    }
  }
}

}  // namespace
}  // namespace dhyan
