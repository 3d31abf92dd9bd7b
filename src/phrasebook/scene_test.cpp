#include "phrasebook/scene.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

#include "phrasebook/scene_figures.h"
#include "phrasebook/scene_layout.h"

namespace dhyan::picturebook {
namespace {

constexpr std::array kParts{Part::kTrain, Part::kDev, Part::kTest};

Object at(int x, int y) { return {.x = x * kPixel, .y = y * kPixel}; }

TEST(Scenes, DependOnNumberPartAndSeedOnly) {
  EXPECT_EQ(scene(7, Part::kTrain), scene(7, Part::kTrain));
  EXPECT_NE(scene(7, Part::kTrain), scene(8, Part::kTrain));
  EXPECT_NE(scene(7, Part::kTrain), scene(7, Part::kDev));
  EXPECT_NE(scene(7, Part::kTrain), scene(7, Part::kTrain, 1));
  EXPECT_NE(scene(7, Part::kTrain), scene(std::uint64_t{7} | std::uint64_t{1} << 63, Part::kTrain));
}

TEST(Scenes, HaveOneToThreeObjectsEquallyOftenAndEveryWord) {
  std::array<int, kMostObjects + 1> counts{};
  std::array<int, kFigures> figures{};
  std::array<int, kColours> colours{};
  std::array<int, kSizes> sizes{};
  for (std::uint64_t number = 0; number < 3000; ++number) {
    const Scene drawn = scene(number, Part::kTrain);
    ++counts[drawn.objects.size()];
    for (const Object& object : drawn.objects) {
      ++figures[static_cast<std::size_t>(object.figure)];
      ++colours[static_cast<std::size_t>(object.colour)];
      ++sizes[static_cast<std::size_t>(object.size)];
    }
  }
  for (std::size_t count = 1; count <= kMostObjects; ++count) EXPECT_NEAR(counts[count], 1000, 100);
  for (const int figure : figures) EXPECT_NEAR(figure, 6000 / kFigures, 100);
  for (const int colour : colours) EXPECT_NEAR(colour, 6000 / kColours, 100);
  for (const int size : sizes) EXPECT_NEAR(size, 6000 / kSizes, 200);
}

TEST(Scenes, AreClearAndInReadingOrder) {
  for (const Part part : kParts) {
    for (std::uint64_t number = 0; number < 500; ++number) {
      const Scene drawn = scene(number, part);
      ASSERT_TRUE(is_clear(drawn.objects));
      for (std::size_t i = 0; i < drawn.objects.size(); ++i) {
        const Object& object = drawn.objects[i];
        const int far = reach(object.figure, object.radius);
        EXPECT_GE(std::min(object.x, object.y), far + kPixel);
        EXPECT_LE(std::max(object.x, object.y), kSide * kPixel - far - kPixel);
        for (std::size_t j = i + 1; j < drawn.objects.size(); ++j) {
          const Object& later = drawn.objects[j];
          const Relation relation = main_relation(object, later);
          EXPECT_TRUE(relation == Relation::kLeftOf || relation == Relation::kAbove);
          EXPECT_TRUE(holds(relation, object, later));
          EXPECT_FALSE(object.figure == later.figure && object.colour == later.colour);
        }
      }
    }
  }
}

TEST(Scenes, HaveHeldOutPairsOnlyInEveryFourthSceneOfTest) {
  for (std::uint64_t number = 0; number < 2000; ++number) {
    EXPECT_FALSE(has_held_out_pair(scene(number, Part::kTrain)));
    EXPECT_FALSE(has_held_out_pair(scene(number, Part::kDev)));
    EXPECT_EQ(has_held_out_pair(scene(number, Part::kTest)), number % 4 == 3);
  }
}

TEST(HeldOutPairs, HaveEveryColourAndEveryFigureOnce) {
  for (int i = 0; i < kColours; ++i) {
    int of_colour = 0, of_figure = 0;
    for (int j = 0; j < kFigures; ++j) {
      of_colour += is_held_out(static_cast<Colour>(i), static_cast<Figure>(j)) ? 1 : 0;
      of_figure += is_held_out(static_cast<Colour>(j), static_cast<Figure>(i)) ? 1 : 0;
    }
    EXPECT_EQ(of_colour, 1);
    EXPECT_EQ(of_figure, 1);
  }
}

// Figures, colours, sizes, and centres to 8 pixels.
using Coarse = std::vector<std::array<int, 5>>;

TEST(Scenes, NeverCoincideInDifferentParts) {
  std::array<std::set<Coarse>, 3> seen;
  for (const Part part : kParts) {
    for (std::uint64_t number = 0; number < 6000; ++number) {
      Coarse coarse;
      for (const Object& object : scene(number, part).objects) {
        coarse.push_back({static_cast<int>(object.figure), static_cast<int>(object.colour),
                          static_cast<int>(object.size), object.x / (8 * kPixel), object.y / (8 * kPixel)});
      }
      seen[static_cast<std::size_t>(part)].insert(coarse);
    }
  }
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      for (const Coarse& coarse : seen[a]) EXPECT_FALSE(seen[b].contains(coarse));
    }
  }
}

TEST(Relations, HoldWithin60DegreesAndOneIsMain) {
  const Object middle = at(32, 32);
  EXPECT_TRUE(holds(Relation::kLeftOf, at(10, 32), middle));
  EXPECT_FALSE(holds(Relation::kRightOf, at(10, 32), middle));
  EXPECT_FALSE(holds(Relation::kAbove, at(10, 32), middle));
  EXPECT_TRUE(holds(Relation::kRightOf, middle, at(10, 32)));
  EXPECT_TRUE(holds(Relation::kAbove, at(32, 10), middle));
  EXPECT_TRUE(holds(Relation::kBelow, middle, at(32, 10)));
  EXPECT_TRUE(holds(Relation::kLeftOf, at(10, 18), middle));
  EXPECT_TRUE(holds(Relation::kAbove, at(10, 18), middle));
  EXPECT_FALSE(holds(Relation::kAbove, at(10, 20), middle));  // 28.6 degrees above the horizontal
  EXPECT_EQ(main_relation(at(10, 18), middle), Relation::kLeftOf);
  EXPECT_EQ(main_relation(middle, at(10, 18)), Relation::kRightOf);
  EXPECT_EQ(main_relation(at(30, 10), middle), Relation::kAbove);
  EXPECT_EQ(main_relation(at(30, 50), middle), Relation::kBelow);
  EXPECT_FALSE(holds(Relation::kLeftOf, middle, middle));
}

}  // namespace
}  // namespace dhyan::picturebook
