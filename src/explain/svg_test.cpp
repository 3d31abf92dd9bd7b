#include "explain/svg.h"

#include <gtest/gtest.h>

#include "core/rng.h"
#include "core/testing/not_finite.h"
#include "explain/html.h"
#include "explain/testing/example_explanation.h"
#include "explain/testing/parsed_xml.h"

namespace dhyan {
namespace {

std::vector<std::string> texts(const std::vector<XmlElement>& elements) {
  std::vector<std::string> texts;
  for (const XmlElement& element : elements) texts.push_back(element.text);
  return texts;
}

double attribute(const XmlElement& element, const std::string& name) { return std::stod(element.attributes.at(name)); }

TEST(Svg, HasTheWordsOfBothSidesAndACellForEachPair) {
  const auto elements = parsed_xml(to_svg(example_explanation()));
  EXPECT_EQ(texts(named(elements, "text", "column")), example_explanation().source_units);
  EXPECT_EQ(texts(named(elements, "text", "row")), example_explanation().target_units);
  const auto titles = texts(named(elements, "title"));
  ASSERT_EQ(titles.size(), 1 + 5 * 6u);
  EXPECT_EQ(titles[1], "I ← मैं: α = 0.8750");
}

TEST(Svg, DrawsAWeightAsOpacityAndAsANumber) {
  const auto elements = parsed_xml(to_svg(example_explanation()));
  EXPECT_EQ(named(elements, "rect", "cell").front().attributes.at("fill-opacity"), "0.875");
  EXPECT_EQ(texts(named(elements, "text", "number on-dark")), (std::vector<std::string>{".88", ".75", ".75"}));
}

TEST(Svg, DrawsNumbersAboveCells) {
  const std::string svg = to_svg(example_explanation());
  EXPECT_GT(svg.find("class=\"number"), svg.rfind("</title></rect>"));
}

TEST(Svg, ShowsEnergiesIfTheyWereRecorded) {
  Explanation with = example_explanation();
  with.maps.front().energy = with.maps.front().weights;
  EXPECT_EQ(texts(named(parsed_xml(to_svg(with)), "title")).at(1), "I ← मैं: α = 0.8750, e = 0.8750");
}

TEST(Svg, HasATextAlternative) {
  const auto elements = parsed_xml(to_svg(example_explanation()));
  const XmlElement& picture = elements.front();
  EXPECT_EQ(picture.attributes.at("role"), "img");
  EXPECT_EQ(picture.attributes.at("aria-labelledby"), "attention-title attention-description");
  EXPECT_EQ(named(elements, "title").front().attributes.at("id"), "attention-title");
  const XmlElement description = named(elements, "desc").front();
  EXPECT_EQ(description.attributes.at("id"), "attention-description");
  EXPECT_TRUE(description.text.starts_with(
      "Source: मैं खाना खा रहा हूँ </s>. Target: I am eating food </s>. I attends to मैं 0.8750, हूँ 0.0625, खाना 0.0312. am "))
      << description.text;
}

TEST(Svg, KeepsCellsInsideThePicture) {
  Explanation large = example_explanation();
  AttentionMap& map = large.maps.front();
  map.columns.assign(30, "विश्वविद्यालय");
  map.rows.assign(25, "unfortunately");
  map.weights.assign(25, std::vector<double>(30, 1.0 / 30));
  for (const Explanation& explanation : {example_explanation(), large}) {
    const auto elements = parsed_xml(to_svg(explanation));
    const double width = attribute(elements.front(), "width"), height = attribute(elements.front(), "height");
    for (const XmlElement& cell : named(elements, "rect", "cell")) {
      EXPECT_LE(attribute(cell, "x") + attribute(cell, "width"), width);
      EXPECT_LE(attribute(cell, "y") + attribute(cell, "height"), height);
    }
  }
}

TEST(Svg, IsWideEnoughForItsTitle) {
  Explanation titled = example_explanation();
  titled.maps.front().title = "decoder self-attention, mean of 4 layers and 4 heads";
  EXPECT_GT(attribute(parsed_xml(to_svg(titled)).front(), "width"), 360);
}

TEST(Svg, SlantsWordsThatAreWiderThanTheirColumn) {
  Explanation wide = example_explanation();
  EXPECT_FALSE(named(parsed_xml(to_svg(wide)), "text", "column").front().attributes.contains("transform"));
  wide.maps.front().columns[3] = "unfortunately";
  EXPECT_TRUE(
      named(parsed_xml(to_svg(wide)), "text", "column").front().attributes.at("transform").starts_with("rotate"));
}

TEST(Svg, EscapesXmlCharacters) {
  Explanation hostile = example_explanation();
  const std::string text = "<script>\"&'\x01\x1b\uFFFE]]>";
  hostile.maps.front().columns[0] = hostile.maps.front().rows[0] = hostile.maps.front().title = text;
  const auto elements = parsed_xml(to_svg(hostile));
  EXPECT_TRUE(named(elements, "script").empty());
  EXPECT_EQ(named(elements, "text", "column").front().text, "<script>\"&'\uFFFD\uFFFD\uFFFD]]>");
}

TEST(Svg, DrawsNoNanOrInfinity) {
  Explanation broken = example_explanation();
  broken.maps.front().weights[0] = {kNan, -kNan, kInfinity, -1, 2, 0};
  broken.maps.front().energy = broken.maps.front().weights;
  Explanation context_vector = example_context_vector();
  context_vector.context_vector[1] = kNan;
  for (const Explanation& explanation : {broken, context_vector}) {
    const std::string svg = to_svg(explanation);
    parsed_xml(svg);
    EXPECT_EQ(svg.find("nan\""), std::string::npos);
    EXPECT_EQ(svg.find("inf\""), std::string::npos);
    EXPECT_EQ(svg.find("= nan"), std::string::npos);
  }
}

TEST(Svg, StacksPlaces) {
  Explanation two = example_explanation();
  two.maps.push_back(two.maps.front());
  two.maps[0].title = "cross-attention, layer 1, head 1";
  two.maps[1].title = "encoder self-attention, layer 1, head 1";
  two.maps[1].place = AttentionPlace::kEncoder;
  const auto one = parsed_xml(to_svg(example_explanation())), both = parsed_xml(to_svg(two));
  EXPECT_GT(attribute(both.front(), "height"), 2 * attribute(one.front(), "height"));
  EXPECT_EQ(texts(named(both, "text", "heading")), (std::vector<std::string>{two.maps[0].title, two.maps[1].title}));
  EXPECT_EQ(named(both, "title").front().text,
            "Attention, cross-attention, layer 1, head 1; Attention, encoder self-attention, layer 1, head 1");
}

TEST(SvgGrid, HasLayersDownAndHeadsAcross) {
  const auto elements = parsed_xml(to_svg(example_heads(2, 3)));
  EXPECT_EQ(texts(named(elements, "text", "layer")), (std::vector<std::string>{"layer 1", "layer 2"}));
  EXPECT_EQ(texts(named(elements, "text", "head")), (std::vector<std::string>{"head 1", "head 2", "head 3"}));
  EXPECT_EQ(named(elements, "text", "column").size(), 3 * 6u);
  EXPECT_EQ(named(elements, "text", "row").size(), 2 * 5u);
  ASSERT_EQ(named(elements, "g", "small-map").size(), 6u);
  const auto titles = texts(named(elements, "title"));
  EXPECT_EQ(titles.at(5), "cross-attention, layer 2, head 2");
}

TEST(SvgGrid, KeepsTheNumbersOfChosenLayers) {
  Explanation chosen = example_heads(3, 2);
  chosen.maps.erase(chosen.maps.begin(), chosen.maps.begin() + 4);
  const auto elements = parsed_xml(to_svg(chosen));
  EXPECT_EQ(texts(named(elements, "text", "layer")), (std::vector<std::string>{"layer 3"}));
}

TEST(SvgGrid, LeavesAGapBetweenTheAxisNameAndTheNamesOfLayers) {
  const auto elements = parsed_xml(to_svg(example_heads(2, 3)));
  const XmlElement down = named(elements, "text", "axis-name").at(1);
  ASSERT_TRUE(down.attributes.contains("transform")) << down.text;
  const double descent = 0.35 * kSmallSize;
  EXPECT_GE(attribute(named(elements, "text", "layer").front(), "x"), attribute(down, "x") + descent + 6);
}

TEST(SvgGrid, LeavesRoomForHeadingsOverNarrowMaps) {
  Explanation narrow = example_heads(1, 2);
  for (AttentionMap& map : narrow.maps) {
    map.columns.resize(1);
    for (auto& row : map.weights) row.resize(1);
  }
  const auto heads = named(parsed_xml(to_svg(narrow)), "text", "head");
  EXPECT_GT(attribute(heads.at(1), "x") - attribute(heads.at(0), "x"), 50);
}

TEST(SvgGrid, DrawsCellsOfEqualShadeAsOnePath) {
  Explanation plain = example_heads(1, 2);
  for (AttentionMap& map : plain.maps) map.weights.assign(5, {.5, .5, 0, 0, 0, 0.01});
  const auto paths = named(parsed_xml(to_svg(plain)), "path", "ink");
  ASSERT_EQ(paths.size(), 2u);
  EXPECT_EQ(paths[0].attributes.at("fill-opacity"), "0.5");
  EXPECT_TRUE(paths[0].attributes.at("d").starts_with("M0 0h2v1h-2zM0 1h2")) << paths[0].attributes.at("d");
}

// Random weights, so that hardly any neighbouring cells share a shade.
Explanation many_heads() {
  Explanation large = example_heads(6, 8);
  Rng rng(2);
  for (AttentionMap& map : large.maps) {
    map.columns.assign(20, "विश्वविद्यालय");
    map.rows.assign(20, "unfortunately");
    map.weights.assign(20, std::vector<double>(20));
    for (auto& row : map.weights) {
      for (double& weight : row) weight = static_cast<double>(rng.below(1000)) / 1000;
    }
  }
  return large;
}

TEST(SvgGrid, StaysSmallWithManyHeadsAndWords) {
  EXPECT_LT(to_svg(many_heads()).size(), 600'000u);
  EXPECT_LT(to_html(many_heads()).size(), 900'000u);
}

TEST(SvgGrid, OmitsLabelsThatDoNotFit) {
  Explanation long_one = example_heads(1, 2);
  for (AttentionMap& map : long_one.maps) {
    map.columns.assign(30, "a");
    map.weights.assign(5, std::vector<double>(30, 1.0 / 30));
  }
  EXPECT_TRUE(named(parsed_xml(to_svg(long_one)), "text", "column").empty());
}

TEST(SvgGrid, DrawsNoNanOrInfinity) {
  Explanation broken = example_heads(1, 2);
  broken.maps.front().weights[0] = {kNan, -kNan, kInfinity, -1, 2, 0};
  for (const std::string& picture : {to_svg(broken), to_html(broken)}) {
    parsed_xml(picture);
    EXPECT_EQ(picture.find("nan\""), std::string::npos);
    EXPECT_EQ(picture.find("inf\""), std::string::npos);
  }
}

TEST(Svg, DrawsTheEndOfAnEmptyTranslation) {
  Explanation empty = example_explanation();
  empty.maps.front().rows = {"</s>"};
  empty.maps.front().weights.resize(1);
  EXPECT_EQ(texts(named(parsed_xml(to_svg(empty)), "text", "row")), (std::vector<std::string>{"</s>"}));
}

TEST(Svg, DrawsTheContextVectorOfAModelWithoutAttention) {
  const auto elements = parsed_xml(to_svg(example_context_vector()));
  EXPECT_TRUE(named(elements, "rect", "cell").empty());
  EXPECT_EQ(named(elements, "rect", "up").size(), 5u);
  ASSERT_EQ(named(elements, "rect", "down").size(), 3u);
  EXPECT_EQ(attribute(named(elements, "rect", "down").front(), "height"), 60);
  EXPECT_EQ(attribute(named(elements, "rect", "up").at(1), "height"), 30) << "half the greatest";
  EXPECT_EQ(named(elements, "text", "source").front().text, "मैं खाना खा रहा हूँ");
  EXPECT_NE(named(elements, "desc").front().text.find("one vector of 8 values"), std::string::npos);
}

}  // namespace
}  // namespace dhyan
