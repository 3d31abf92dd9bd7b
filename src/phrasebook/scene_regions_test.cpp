#include "phrasebook/scene_regions.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "phrasebook/picturebook.h"

namespace dhyan::picturebook {
namespace {

Object disc(Size size, int x, int y) {
  const int radius = size == Size::kSmall ? 6 : 10;
  return {.size = size, .x = x * kPixel, .y = y * kPixel, .radius = radius * kPixel};
}

TEST(Regions, AreCellsCoveredByTheObject) {
  EXPECT_EQ(cells(disc(Size::kSmall, 32, 32), 8, 8), (std::vector<Index>{27, 28, 35, 36}));
  EXPECT_EQ(cells(disc(Size::kSmall, 12, 20), 8, 8), (std::vector<Index>{9, 16, 17, 18, 25}));
  EXPECT_EQ(cells(disc(Size::kSmall, 12, 20), 1, 1), (std::vector<Index>{0}));
  EXPECT_EQ(cells(disc(Size::kSmall, 12, 20), 4, 2), (std::vector<Index>{2}));
}

TEST(Regions, AreNeverEmptyInAnyGrid) {
  for (Index rows = 1; rows <= kSide; rows += 3) {
    for (Index columns = 1; columns <= kSide; columns += 5) {
      const std::vector<Index> found = cells(disc(Size::kSmall, 9, 50), rows, columns);
      ASSERT_FALSE(found.empty());
      EXPECT_TRUE(std::ranges::is_sorted(found));
      EXPECT_LT(found.back(), rows * columns);
    }
  }
}

TEST(Regions, EqualTheDrawnPixelsInAGridOfPixels) {
  for (std::uint64_t number = 0; number < 50; ++number) {
    for (const Object& object : scene(number, Part::kTrain).objects) {
      const Coverage cover = coverage(object);
      std::vector<Index> pixels;
      for (std::size_t i = 0; i < cover.size(); ++i) {
        if (cover[i] >= 32) pixels.push_back(static_cast<Index>(i));
      }
      EXPECT_EQ(cells(object, kSide, kSide), pixels);
    }
  }
}

TEST(Regions, BelongToTheObjectsOfWords) {
  const Scene scene{.objects = {disc(Size::kSmall, 12, 12), disc(Size::kLarge, 44, 14)}};
  const auto found = word_cells(scene, {0, 1, 2, 3}, 8, 8);
  ASSERT_EQ(found.size(), 4u);
  EXPECT_TRUE(found[0].empty());
  EXPECT_EQ(found[1], cells(scene.objects[0], 8, 8));
  EXPECT_EQ(found[2], cells(scene.objects[1], 8, 8));
  std::vector<Index> both = found[1];
  both.insert(both.end(), found[2].begin(), found[2].end());
  std::ranges::sort(both);
  EXPECT_EQ(found[3], both);
  EXPECT_EQ(word_cells(scene, {3}, 1, 1), (std::vector<std::vector<Index>>{{0}}));
}

TEST(Regions, HaveABoxAroundEveryPixel) {
  EXPECT_EQ(box_around(disc(Size::kLarge, 32, 20)), (PixelBox{22, 10, 42, 30}));
}

TEST(Regions, RefuseGridsFinerThanPixels) {
  EXPECT_EQ(thrown<UsageError>([] { cells(disc(Size::kSmall, 12, 12), 8, 65); }),
            "picture book: a grid of 8 x 65 cells; expected 1 to 64");
  EXPECT_THROW(cells(disc(Size::kSmall, 12, 12), 0, 8), UsageError);
}

}  // namespace
}  // namespace dhyan::picturebook
