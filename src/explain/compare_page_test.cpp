#include "explain/compare_page.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>

#include "explain/drawing.h"
#include "explain/testing/example_explanation.h"
#include "explain/testing/parsed_xml.h"

namespace dhyan {
namespace {

std::vector<ComparedModel> with_and_without() {
  return {{"with/", example_explanation()}, {"without/", example_context_vector()}};
}

TEST(ComparePage, ShowsWordsAndAttentionOfBothModels) {
  const std::vector<ComparedModel> models = with_and_without();
  const auto elements = parsed_xml(compare_html(models, {}));
  std::vector<std::string> names, words;
  for (const XmlElement& heading : named(elements, "h2")) names.push_back(heading.text);
  EXPECT_EQ(names, (std::vector<std::string>{"with/", "without/"}));
  EXPECT_EQ(named(elements, "article").size(), 2u);
  EXPECT_EQ(named(elements, "figure", "map").size(), 1u);
  EXPECT_EQ(named(elements, "figure", "thought").size(), 1u);
  EXPECT_EQ(named(elements, "td", "bar").size(), 2 * models.front().explanation.target_units.size());
}

TEST(ComparePage, ShrinksPicturesToTheirPaneAsLongAsTextStaysReadable) {
  const std::string html = compare_html(with_and_without(), {});
  EXPECT_NE(html.find(".models .area svg { max-width: 100%; min-width: var(--least); height: auto; }"),
            std::string::npos);
  EXPECT_NE(html.find(".models article > .wide { max-height: none; }"), std::string::npos) << "all words are visible";
  const auto elements = parsed_xml(html);
  const auto areas = named(elements, "div", "area"), pictures = named(elements, "svg");
  ASSERT_EQ(areas.size(), pictures.size());
  for (std::size_t i = 0; i < areas.size(); ++i) {
    EXPECT_TRUE(pictures[i].attributes.contains("viewBox"));
    const std::string& style = areas[i].attributes.at("style");
    ASSERT_TRUE(style.starts_with("--least:")) << style;
    const double scale = std::stod(style.substr(8)) / std::stod(pictures[i].attributes.at("width"));
    EXPECT_LT(scale, 0.8);
    EXPECT_GE(scale * kSmallSize, 9) << "pixels of the smallest caption";
  }
}

TEST(ComparePage, HasUniqueIds) {
  const std::vector<ComparedModel> same{{"a", example_heads(2, 2)}, {"a", example_heads(2, 2)}};
  std::set<std::string> ids;
  for (const XmlElement& element : parsed_xml(compare_html(same, {}))) {
    const auto id = element.attributes.find("id");
    if (id == element.attributes.end()) continue;
    EXPECT_TRUE(ids.insert(id->second).second) << id->second;
  }
  EXPECT_EQ(ids.size(), 4u);
}

TEST(ComparePage, PutsWordsSideBySideInATerminal) {
  const std::vector<ComparedModel> models = with_and_without();
  const std::string text = compare_text(models, {});
  EXPECT_NE(text.find("\nwith/                          without/\n"), std::string::npos) << text;
  EXPECT_NE(text.find("0.9394  I                      0.9394  I\n"), std::string::npos) << text;
  EXPECT_NE(text.find("This model does not attend"), std::string::npos) << text;
  const std::string narrow = compare_text(models, {.width = 40});
  EXPECT_NE(narrow.find("\nwith/\n"), std::string::npos) << narrow;
  EXPECT_NE(narrow.find("\nwithout/\n"), std::string::npos) << narrow;
}

TEST(ComparePage, DoesNotRelyOnTheWidthOfShapedScripts) {
  std::vector<ComparedModel> models = with_and_without();
  models[0].explanation.target_units[0] = "खाना";
  EXPECT_NE(compare_text(models, {}).find("0.9394  खाना\n"), std::string::npos);
}

TEST(ComparePage, DrawsBothModelsInOneSvg) {
  const auto elements = parsed_xml(compare_svg(with_and_without(), {}));
  EXPECT_EQ(named(elements, "svg").size(), 1u);
  EXPECT_EQ(named(elements, "rect", "cell").size(), 5u * 6 + 5);
  EXPECT_EQ(named(elements, "text", "heading").size(), 2u);
  EXPECT_FALSE(named(elements, "rect", "up").empty());
}

TEST(ComparePage, WritesJson) {
  const auto json = nlohmann::json::parse(compare_json(with_and_without(), {}));
  ASSERT_EQ(json["models"].size(), 2u);
  EXPECT_EQ(json["models"][0]["model"], "with/");
  EXPECT_EQ(json["models"][0]["explanation"]["attention"]["weights"][0][0][0][0], 0.875);
  EXPECT_EQ(json["models"][1]["explanation"]["translation"], example_context_vector().translation);
}

TEST(ComparePage, EscapesNamesAndText) {
  const std::string hostile = "</script><script>alert('\"&')</script>";
  std::vector<ComparedModel> models = with_and_without();
  models[0].name = models[0].explanation.source = models[1].explanation.translation = hostile;
  EXPECT_EQ(named(parsed_xml(compare_html(models, {})), "script").size(), 1u);
  EXPECT_TRUE(named(parsed_xml(compare_svg(models, {})), "script").empty());
  EXPECT_EQ(nlohmann::json::parse(compare_json(models, {}))["models"][0]["model"], hostile);
}

}  // namespace
}  // namespace dhyan
