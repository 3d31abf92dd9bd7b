#include "phrasebook/scene_order.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "phrasebook/scene_layout.h"
#include "phrasebook/scene_truth.h"

namespace dhyan::picturebook {
namespace {

TEST(SceneToOrder, FitsItsDescription) {
  const Scene scene = scene_to_order("small red circle above large blue square");
  EXPECT_TRUE(is_true(scene, "a small red circle above a large blue square"));
  EXPECT_EQ(scene, scene_to_order("a small red circle above a large blue square"));
  EXPECT_NE(scene, scene_to_order("small red circle above large blue square", 1));
  const std::string_view hindi = "बड़े नीले वर्ग के दाईं ओर एक छोटा लाल वृत्त";
  EXPECT_TRUE(is_true(scene_to_order(hindi), hindi));
}

TEST(SceneToOrder, DrawsLargeObjectsIfNoSizeIsNamed) {
  EXPECT_TRUE(is_true(scene_to_order("purple kite"), "a large purple kite"));
}

TEST(SceneToOrder, HasRoomForEveryRelationOfThreeObjectsOfAnySize) {
  for (const std::string_view figure : {"square", "kite"}) {
    for (const std::string_view first : {"to the left of", "to the right of", "above", "below"}) {
      for (const std::string_view second : {"to the left of", "to the right of", "above", "below"}) {
        for (const std::string_view size : {"small", "large"}) {
          const auto object = [&](std::string_view colour) { return cat("a ", size, ' ', colour, ' ', figure); };
          const std::string text =
              cat(object("red"), ' ', first, ' ', object("blue"), " and ", second, ' ', object("green"));
          const Scene scene = scene_to_order(text);
          EXPECT_TRUE(is_true(scene, text)) << text;
          EXPECT_TRUE(is_clear(scene.objects)) << text;
        }
      }
    }
  }
}

TEST(PlacedScene, HasItsObjectsWhereTheyWerePutInReadingOrder) {
  const Object right{.figure = Figure::kStar, .colour = Colour::kRed, .size = Size::kSmall, .x = 50 * kPixel};
  const Object left{.figure = Figure::kKite, .colour = Colour::kBlue, .size = Size::kLarge, .x = 9 * kPixel};
  const Scene scene = placed_scene({right, left});
  ASSERT_EQ(scene.objects.size(), 2u);
  EXPECT_EQ(scene.objects[0].figure, Figure::kKite);
  EXPECT_EQ(scene.objects[0].x, left.x);
  EXPECT_EQ(scene.objects[1].x, right.x);
  for (const Object& object : scene.objects) EXPECT_EQ(object.radius, middle_radius(object.size));
  EXPECT_LT(middle_radius(Size::kSmall), middle_radius(Size::kLarge));
  EXPECT_EQ(scene.grain, 0);
}

TEST(SceneToOrder, NamesTheWordsItKnows) {
  EXPECT_EQ(
      thrown<UsageError>([] { scene_to_order("small red cube"); }),
      "scene: 'small red cube': word 3: 'cube' is none of circle, square, triangle, star, heart, moon, kite, drop");
  EXPECT_EQ(thrown<UsageError>([] { scene_to_order("red star above large red star"); }),
            "scene: two objects are red stars; they must differ in colour or figure");
}

}  // namespace
}  // namespace dhyan::picturebook
