#include "phrasebook/scene_order.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "phrasebook/scene_layout.h"
#include "phrasebook/scene_truth.h"

namespace dhyan::picturebook {
namespace {

TEST(SceneToOrder, IsTrueToItsDescription) {
  const Scene scene = scene_to_order("small red circle above large blue square");
  EXPECT_TRUE(is_true(scene, "a small red circle above a large blue square"));
  EXPECT_EQ(scene, scene_to_order("a small red circle above a large blue square"));
  EXPECT_NE(scene, scene_to_order("small red circle above large blue square", 1));
  const std::string_view hindi = "बड़े नीले वर्ग के दाईं ओर एक छोटा लाल वृत्त";
  EXPECT_TRUE(is_true(scene_to_order(hindi), hindi));
}

TEST(SceneToOrder, TakesLargeObjectsWhereNoSizeIsNamed) {
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

TEST(SceneToOrder, NamesTheWordsItKnows) {
  EXPECT_EQ(
      thrown<UsageError>([] { scene_to_order("small red cube"); }),
      "scene: 'small red cube': word 3: 'cube' is none of circle, square, triangle, star, heart, moon, kite, drop");
  EXPECT_EQ(thrown<UsageError>([] { scene_to_order("red star above large red star"); }),
            "scene: two objects are red stars; they must differ in colour or figure");
}

}  // namespace
}  // namespace dhyan::picturebook
