#include "vision/resize.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/rng.h"

namespace dhyan {
namespace {

// A picture of one row or column whose three colours are equal.
Picture line_of(std::initializer_list<int> values, bool is_row) {
  const auto count = static_cast<Index>(values.size());
  Picture picture{is_row ? 1 : count, is_row ? count : 1, {}};
  for (const int value : values) picture.pixels.insert(picture.pixels.end(), 3, static_cast<std::uint8_t>(value));
  return picture;
}

Picture random_picture(Index height, Index width) {
  Rng rng(3);
  Picture picture{height, width, {}};
  for (Index i = 0; i < height * width * 3; ++i) picture.pixels.push_back(static_cast<std::uint8_t>(rng.below(256)));
  return picture;
}

TEST(Resize, AveragesTheAreaAPixelCovers) {
  for (const bool is_row : {false, true}) {
    const auto resized = [&](std::initializer_list<int> from, Index to) {
      const Picture picture = line_of(from, is_row);
      return is_row ? resize(picture, 1, to) : resize(picture, to, 1);
    };
    EXPECT_EQ(resized({10, 20, 30, 50}, 2), line_of({15, 40}, is_row));
    EXPECT_EQ(resized({30, 60, 90}, 2), line_of({40, 80}, is_row)) << "(2 * 30 + 60) / 3, (60 + 2 * 90) / 3";
    EXPECT_EQ(resized({0, 1}, 1), line_of({1}, is_row)) << "a half is rounded up";
    EXPECT_EQ(resized({0, 0, 0, 1, 1}, 1), line_of({0}, is_row));
  }
}

TEST(Resize, InterpolatesBetweenCentres) {
  for (const bool is_row : {false, true}) {
    const auto resized = [&](std::initializer_list<int> from, Index to) {
      const Picture picture = line_of(from, is_row);
      return is_row ? resize(picture, 1, to) : resize(picture, to, 1);
    };
    EXPECT_EQ(resized({0, 100}, 4), line_of({0, 25, 75, 100}, is_row));
    EXPECT_EQ(resized({10, 70}, 3), line_of({10, 40, 70}, is_row));
    EXPECT_EQ(resized({7}, 3), line_of({7, 7, 7}, is_row));
  }
}

TEST(Resize, ToTheSameSizeChangesNothing) {
  const Picture picture = random_picture(5, 7);
  EXPECT_EQ(resize(picture, 5, 7), picture);
}

// Every old pixel cut into new-size times new-size parts, which are then averaged.
TEST(Resize, EqualsAnAverageOfTinyParts) {
  const Picture picture = random_picture(7, 11);
  const Index height = 3, width = 4;
  const Picture resized = resize(picture, height, width);
  for (Index y = 0; y < height; ++y) {
    for (Index x = 0; x < width; ++x) {
      for (Index colour = 0; colour < 3; ++colour) {
        Index sum = 0;
        for (Index row = y * picture.height; row < (y + 1) * picture.height; ++row) {
          for (Index column = x * picture.width; column < (x + 1) * picture.width; ++column) {
            const Index at = (row / height * picture.width + column / width) * 3 + colour;
            sum += picture.pixels[static_cast<std::size_t>(at)];
          }
        }
        const Index parts = picture.height * picture.width;
        EXPECT_EQ(resized.pixels[static_cast<std::size_t>((y * width + x) * 3 + colour)], (sum + parts / 2) / parts);
      }
    }
  }
}

TEST(Resize, KeepsColoursApart) {
  const Picture picture{1, 2, {0, 100, 200, 10, 110, 210}};
  EXPECT_EQ(resize(picture, 1, 1), (Picture{1, 1, {5, 105, 205}}));
}

TEST(Resize, MayShrinkOneAxisAndEnlargeTheOther) {
  const Picture picture{2, 2, {0, 0, 0, 40, 40, 40, 20, 20, 20, 60, 60, 60}};
  EXPECT_EQ(resize(picture, 1, 4), (Picture{1, 4, {10, 10, 10, 20, 20, 20, 40, 40, 40, 50, 50, 50}}));
}

TEST(Resize, RefusesSizesAndPicturesWithoutPixels) {
  EXPECT_THROW(resize(random_picture(2, 2), 0, 5), UsageError);
  EXPECT_THROW(resize(random_picture(2, 2), 5, -1), UsageError);
  EXPECT_THROW(resize({}, 5, 5), UsageError);
  EXPECT_THROW(resize({2, 2, {1, 2, 3}}, 5, 5), UsageError);
}

}  // namespace
}  // namespace dhyan
