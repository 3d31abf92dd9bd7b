#include "explain/formats.h"

#include <gtest/gtest.h>
#include <set>

#include "explain/testing/example_explanation.h"

namespace dhyan {
namespace {

TEST(Formats, HaveUniqueNamesAndExtensions) {
  std::set<std::string_view> names, extensions;
  for (const Format& format : formats()) {
    EXPECT_TRUE(names.insert(format.name).second) << format.name;
    EXPECT_TRUE(extensions.insert(format.extension).second) << format.extension;
    EXPECT_FALSE(format.description.empty());
  }
}

TEST(Formats, AreFoundByFileExtension) {
  for (const Format& format : formats()) {
    const std::string file = "folder.d/out" + std::string(format.extension);
    ASSERT_NE(format_of_file(formats(), file), nullptr) << file;
    EXPECT_EQ(format_of_file(formats(), file)->name, format.name);
  }
  ASSERT_NE(format_of_file(formats(), "out.pharaoh"), nullptr) << "the name of a format is an extension too";
  EXPECT_EQ(format_of_file(formats(), "out.pharaoh")->name, "pharaoh");
  EXPECT_EQ(format_of_file(formats(), "out.gif"), nullptr);
  EXPECT_EQ(format_of_file(formats(), "folder.svg/out"), nullptr);
}

TEST(Formats, ShowEveryKindOfModel) {
  Explanation of_nothing = example_explanation();
  of_nothing.maps.front().rows = of_nothing.target_units = {"</s>"};
  of_nothing.maps.front().weights.resize(1);
  of_nothing.translation.clear();
  for (const Format& format : formats()) {
    std::set<std::string> shown;
    for (const Explanation& explanation : {example_explanation(), example_context_vector(), of_nothing}) {
      shown.insert(format.render(explanation, {}));
    }
    EXPECT_EQ(shown.size(), format.name == "pharaoh" ? 2u : 3u) << format.name;
    EXPECT_FALSE(shown.contains("")) << format.name;
  }
}

}  // namespace
}  // namespace dhyan
