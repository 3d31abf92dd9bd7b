#include "explain/line_view.h"

#include <gtest/gtest.h>
#include <set>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "explain/testing/example_explanation.h"
#include "explain/testing/parsed_xml.h"

namespace dhyan {
namespace {

std::vector<XmlElement> with_attribute(const std::vector<XmlElement>& elements, const std::string& name) {
  std::vector<XmlElement> found;
  for (const XmlElement& element : elements) {
    if (element.attributes.contains(name)) found.push_back(element);
  }
  return found;
}

TEST(LineView, DrawsALineForEachWeight) {
  const Explanation example = example_explanation();
  const auto elements = parsed_xml(lines_svg(example, {}));
  std::size_t drawn = 0;
  for (const auto& row : example.maps.front().weights) {
    for (const double weight : row) drawn += weight >= 0.02 ? 1 : 0;
  }
  const auto lines = named(elements, "line");
  ASSERT_EQ(lines.size(), drawn);
  EXPECT_EQ(lines[0].attributes.at("data-i"), "0");
  EXPECT_EQ(lines[0].attributes.at("data-j"), "0");
  EXPECT_EQ(lines[0].attributes.at("stroke-opacity"), "0.88");
  const double widest = std::stod(lines[0].attributes.at("stroke-width"));
  EXPECT_GT(widest, std::stod(lines[1].attributes.at("stroke-width")));
  std::vector<std::string> left, right;
  for (const XmlElement& text : named(elements, "text", "row from")) left.push_back(text.text);
  for (const XmlElement& text : named(elements, "text", "to")) right.push_back(text.text);
  EXPECT_EQ(left, example.target_units);
  EXPECT_EQ(right, example.source_units);
}

TEST(LineView, NamesItsSidesAndSaysHowToReadIt) {
  const std::string svg = lines_svg(example_explanation(), {});
  for (const char* part :
       {"translation (attends from)", "source (attended to)", "A line joins a word", "&lt;/s&gt; marks the end"}) {
    EXPECT_NE(svg.find(part), std::string::npos) << part;
  }
  Explanation encoder = example_explanation();
  encoder.maps.front().place = AttentionPlace::kEncoder;
  EXPECT_NE(lines_svg(encoder, {}).find("sentence (attends from)"), std::string::npos);
}

TEST(LineView, NamesTheSourceAndExplainsTheBeginningOfADecoderOnlyModel) {
  Explanation decoder = example_explanation();
  AttentionMap& map = decoder.maps.front();
  map.place = AttentionPlace::kDecoder;
  map.columns = {"मैं", "</s>", "<s>", "I", "am", "eating"};
  const std::string svg = lines_svg(decoder, {});
  EXPECT_NE(svg.find("source, and what is written so far (attended to)"), std::string::npos) << svg;
  EXPECT_NE(svg.find("predicted next (attends from)"), std::string::npos) << svg;
  EXPECT_NE(svg.find("&lt;s&gt; marks the beginning of a text"), std::string::npos) << svg;
}

TEST(LineView, HasAPictureForEachLayerAndAColourForEachHead) {
  const auto elements = parsed_xml(lines_svg(example_heads(2, 3), {}));
  std::vector<std::string> titles;
  for (const XmlElement& text : named(elements, "text", "heading")) titles.push_back(text.text);
  EXPECT_EQ(titles, (std::vector<std::string>{"cross-attention, layer 1", "cross-attention, layer 2"}));
  EXPECT_EQ(named(elements, "g", "lines-of h0").size(), 2u);
  EXPECT_EQ(named(elements, "g", "lines-of h2").size(), 2u);
  EXPECT_EQ(named(elements, "rect", "key").size(), 6u);
}

TEST(LineView, OffsetsTheLinesOfDifferentHeads) {
  Explanation same = example_heads(1, 2);
  same.maps[1].weights = same.maps[0].weights;
  std::set<std::string> places;
  const auto lines = named(parsed_xml(lines_svg(same, {})), "line");
  for (const XmlElement& line : lines) {
    EXPECT_TRUE(places.insert(cat(line.attributes.at("y1"), ' ', line.attributes.at("y2"))).second);
  }
}

TEST(LineView, HasButtonsForLayersAndHeads) {
  const auto elements = parsed_xml(lines_html(example_heads(2, 3), {}));
  EXPECT_EQ(with_attribute(elements, "data-choose-layer").size(), 2u);
  const auto heads = with_attribute(elements, "data-choose-head");
  ASSERT_EQ(heads.size(), 3u);
  for (const XmlElement& head : heads) EXPECT_EQ(head.attributes.at("aria-pressed"), "true");
  EXPECT_EQ(named(elements, "g", "lines-of h1").size(), 1u) << "of the last layer, which is visible at first";
  EXPECT_EQ(named(elements, "g", "lines-of h1 off").size(), 1u);
  EXPECT_EQ(named(elements, "output").size(), 1u);
  const auto areas = named(elements, "div", "area");
  ASSERT_EQ(areas.size(), 1u);
  EXPECT_EQ(areas.front().attributes.at("tabindex"), "0");
}

TEST(LineView, HasNoButtonsForASingleMap) {
  EXPECT_TRUE(named(parsed_xml(lines_html(example_explanation(), {})), "button").empty());
}

TEST(LineView, LimitsWordsAndLinesAndSaysSo) {
  Explanation example = example_explanation();
  AttentionMap& map = example.maps.front();
  map.columns.assign(300, "word");
  map.rows.assign(300, "word");
  map.weights.assign(300, std::vector<double>(300, 0.05));
  const std::string html = lines_svg(example, {});
  EXPECT_EQ(named(parsed_xml(html), "line").size(), 100u * 12);
  EXPECT_NE(html.find("Only the first 100 words"), std::string::npos);
}

TEST(LineView, EscapesUserTextAndLoadsNothingFromTheNetwork) {
  Explanation hostile = example_explanation();
  hostile.source = hostile.translation = hostile.maps.front().columns[0] = hostile.maps.front().rows[0] =
      "</script><script>alert('\"&\x02')</script>";
  hostile.maps.front().title = "\" onload=\"alert(1)";
  const std::string html = lines_html(hostile, {});
  const auto elements = parsed_xml(html);
  EXPECT_EQ(named(elements, "script").size(), 1u);
  for (const XmlElement& element : elements) EXPECT_FALSE(element.attributes.contains("onload"));
  for (const char* outside : {"https:", "url(", "src=", "href=", "@import"}) {
    EXPECT_EQ(html.find(outside), std::string::npos) << outside;
  }
}

TEST(LineView, RefusesAModelWithoutAttention) {
  for (const Format& format : line_formats()) {
    EXPECT_EQ(
        thrown<UsageError>([&] { format.render(example_context_vector(), {}); }),
        "explain: this model does not attend, so there are no lines to draw; --view map shows its context vector");
  }
}

}  // namespace
}  // namespace dhyan
