#include "explain/html.h"

#include <gtest/gtest.h>
#include <set>

#include "core/testing/not_finite.h"
#include "explain/testing/example_explanation.h"
#include "explain/testing/parsed_xml.h"

namespace dhyan {
namespace {

Explanation two_places() {
  Explanation two = example_explanation();
  two.maps.push_back(two.maps.front());
  two.maps.back().place = AttentionPlace::kEncoder;
  return two;
}

TEST(Html, IsWellFormedAndHasAPictureForEachPlace) {
  EXPECT_EQ(named(parsed_xml(to_html(example_explanation())), "svg").size(), 1u);
  EXPECT_EQ(named(parsed_xml(to_html(two_places())), "svg").size(), 2u);
}

TEST(Html, HasUniqueIds) {
  std::set<std::string> ids;
  for (const XmlElement& element : parsed_xml(to_html(two_places()))) {
    const auto id = element.attributes.find("id");
    if (id == element.attributes.end()) continue;
    EXPECT_TRUE(ids.insert(id->second).second) << id->second;
  }
  EXPECT_EQ(ids.size(), 4u);
}

TEST(Html, HasEveryWeightInATableWithHeadings) {
  const auto elements = parsed_xml(to_html(example_explanation()));
  std::vector<std::string> columns, rows;
  for (const XmlElement& heading : named(elements, "th")) {
    (heading.attributes.at("scope") == "col" ? columns : rows).push_back(heading.text);
  }
  EXPECT_EQ(columns, example_explanation().source_units);
  EXPECT_EQ(rows, example_explanation().target_units);
  const auto cells = named(elements, "td");
  ASSERT_EQ(cells.size(), 1 + 5 * 6u);
  EXPECT_EQ(cells[1].text, "0.8750");
}

TEST(Html, HasAButtonForEachHead) {
  const Explanation heads = example_heads(2, 3);
  const auto elements = parsed_xml(to_html(heads));
  EXPECT_EQ(named(elements, "figure", "map").size(), 1u);
  EXPECT_EQ(named(elements, "text", "heading").front().text, "cross-attention, mean of all heads shown");
  const auto buttons = named(elements, "button");
  ASSERT_EQ(buttons.size(), 1 + 6u);
  EXPECT_EQ(buttons[0].text, "mean");
  EXPECT_EQ(buttons[0].attributes.at("aria-pressed"), "true");
  EXPECT_EQ(buttons[5].attributes.at("aria-label"), "cross-attention, layer 2, head 2");
  EXPECT_TRUE(buttons[5].attributes.at("data-weights").starts_with("0 0 10000 0 0 0 625 0 "));
  std::vector<std::string> headings;
  for (const XmlElement& heading : named(elements, "th")) headings.push_back(heading.text);
  const std::vector<std::string> first{"head 1", "head 2", "head 3", "layer 1", "layer 2"};
  ASSERT_GE(headings.size(), first.size());
  EXPECT_EQ(std::vector<std::string>(headings.begin(), headings.begin() + 5), first);
}

TEST(Html, OpensTheTableBelowMapAndHeadsSoThatNeitherMoves) {
  const std::string html = to_html(example_heads(2, 3));
  const std::size_t map = html.find("<svg "), heads = html.find("<div class=\"heads\">"),
                    numbers = html.find("<details>");
  EXPECT_LT(map, heads);
  EXPECT_LT(heads, numbers);
  EXPECT_LT(numbers, html.find("</figure>"));
  EXPECT_NE(html.find("figure details { flex: 0 0 100%; }"), std::string::npos) << "on its own line";
  EXPECT_NE(html.find(".wide { overflow: auto; max-height: 20rem; }"), std::string::npos) << "scrolls by itself";
}

TEST(Html, HasNoHeadButtonsForASingleMap) {
  EXPECT_TRUE(named(parsed_xml(to_html(example_explanation())), "button").empty());
}

TEST(Html, LoadsNothingFromTheNetwork) {
  std::string html = to_html(example_explanation());
  const std::string name_of_svg = "xmlns=\"http://www.w3.org/2000/svg\"";
  const std::size_t at = html.find(name_of_svg);
  ASSERT_NE(at, std::string::npos);
  html.erase(at, name_of_svg.size());
  for (const char* outside : {"http:", "https:", "url(", "src=", "href=", "@import"}) {
    EXPECT_EQ(html.find(outside), std::string::npos) << outside;
  }
  EXPECT_NE(html.find("default-src 'none'"), std::string::npos);
}

TEST(Html, EscapesUserText) {
  Explanation hostile = example_explanation();
  hostile.source = hostile.translation = hostile.maps.front().columns[0] = hostile.maps.front().rows[0] =
      "</script><script>alert('\"&\x02')</script>";
  hostile.maps.front().title = "\" onload=\"alert(1)";
  const auto elements = parsed_xml(to_html(hostile));
  EXPECT_EQ(named(elements, "script").size(), 1u);
  EXPECT_EQ(named(elements, "th").front().text, "</script><script>alert('\"&\uFFFD')</script>");
  for (const XmlElement& element : elements) EXPECT_FALSE(element.attributes.contains("onload"));
}

TEST(Html, ShowsADashForNanAndInfinity) {
  Explanation broken = example_explanation();
  broken.maps.front().weights[0][0] = kNan;
  broken.log_probability = -kInfinity;
  const std::string html = to_html(broken);
  EXPECT_EQ(named(parsed_xml(html), "td").at(1).text, "–");
  EXPECT_EQ(html.find("nan"), std::string::npos);
}

TEST(Html, ShowsTheContextVectorOfAModelWithoutAttention) {
  const auto elements = parsed_xml(to_html(example_context_vector()));
  EXPECT_EQ(named(elements, "svg").size(), 1u);
  EXPECT_TRUE(named(elements, "figure", "map").empty());
  EXPECT_EQ(named(elements, "td").size(), 8u);
}

}  // namespace
}  // namespace dhyan
