#include "explain/plot.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "core/error.h"
#include "explain/svg.h"
#include "explain/testing/parsed_xml.h"

namespace dhyan {
namespace {

std::vector<XmlElement> drawn(const Plot& plot) { return parsed_xml(svg_element(draw_plot(plot), "plot")); }

std::vector<std::string> texts_of(const std::vector<XmlElement>& elements, const std::string& kind) {
  std::vector<std::string> texts;
  for (const XmlElement& element : named(elements, "text", kind)) texts.push_back(element.text);
  return texts;
}

TEST(Plot, HasRoundTicksAndALineForEachSeries) {
  const Plot plot{"loss", "steps", {{"training", {{0, 6.4}, {500, 2.2}, {1000, 1.1}}}, {"held-out", {{1000, 1.5}}}}};
  const std::vector<XmlElement> elements = drawn(plot);
  const std::vector<std::string> ticks = texts_of(elements, "tick");
  for (const char* tick : {"0", "2", "4", "6", "8", "400", "1,000", "training", "held-out"}) {
    EXPECT_NE(std::ranges::find(ticks, tick), ticks.end()) << tick;
  }
  EXPECT_EQ(texts_of(elements, "axis-name"), (std::vector<std::string>{"steps", "loss"}));
  EXPECT_EQ(named(elements, "path", "line line-0").size(), 1u);
  EXPECT_EQ(named(elements, "path", "line line-1").size(), 1u);
  EXPECT_EQ(named(elements, "circle", "dot-0").size(), 4u) << "three points and the legend";
  EXPECT_EQ(named(elements, "path", "dot-1").size(), 2u) << "marks of another shape";
  EXPECT_EQ(
      named(elements, "desc").front().text,
      "training: from 6.4 at steps 0 to 1.1 at 1,000. held-out: from 1.5 at steps 1,000 to 1.5 at 1,000. Each dot, or "
      "bend of a line, is one measurement. Across: steps; up: loss.");
}

TEST(Plot, UsesALogScaleWhenValuesSpanManyMagnitudesAndSaysSo) {
  const std::vector<XmlElement> elements =
      drawn({.title = "perplexity", .across = "steps", .lines = {{"", {{1, 3}, {2, 9000}}}}, .scale = Scale::kByRange});
  const std::vector<std::string> ticks = texts_of(elements, "tick");
  EXPECT_EQ(texts_of(elements, "axis-name").back(), "perplexity, logarithmic");
  for (const char* tick : {"1", "10", "100", "1,000", "10,000"}) {
    EXPECT_NE(std::ranges::find(ticks, tick), ticks.end()) << tick;
  }
}

TEST(Plot, IsLinearByDefault) {
  const std::vector<XmlElement> elements = drawn({"BLEU", "steps", {{"", {{1, 0.1}, {2, 10}, {3, 30}}}}});
  EXPECT_EQ(texts_of(elements, "axis-name").back(), "BLEU");
  const auto dots = named(elements, "circle");
  ASSERT_EQ(dots.size(), 3u);
  const auto y = [&](std::size_t i) { return std::stod(dots[i].attributes.at("cy")); };
  EXPECT_NEAR((y(0) - y(2)) / (y(0) - y(1)), (30 - 0.1) / (10 - 0.1), 0.01);
}

TEST(Plot, HasWhiskersAsLongAsTheSpread) {
  const std::vector<XmlElement> elements =
      drawn({"BLEU", "words", {{"a", {{1, 10}, {2, 30}}, {0, 5}}, {"b", {{1, 0}, {2, 40}}}}});
  const auto whiskers = named(elements, "line", "line line-0 whisker");
  ASSERT_EQ(whiskers.size(), 1u) << "no spread, no whisker";
  const auto y = [&](const char* end) { return std::stod(whiskers.front().attributes.at(end)); };
  const auto dots = named(elements, "circle", "dot-0");
  const auto dot = [&](std::size_t i) { return std::stod(dots[i].attributes.at("cy")); };
  EXPECT_NEAR((y("y1") - y("y2")) / (dot(1) - dot(2)), 10.0 / 20, 0.01) << "dots[0] is in the legend";
}

TEST(Plot, CanBeLogarithmicOnBothAxesAndLeavesOutWhatHasNoLogarithm) {
  const std::vector<XmlElement> elements = drawn({.title = "time",
                                                  .across = "words",
                                                  .lines = {{"", {{5, 0}, {5, 1}, {50, 10}, {500, 100}}}},
                                                  .scale = Scale::kLogarithmic,
                                                  .scale_across = Scale::kLogarithmic});
  EXPECT_EQ(texts_of(elements, "axis-name"), (std::vector<std::string>{"words, logarithmic", "time, logarithmic"}));
  const auto dots = named(elements, "circle");
  ASSERT_EQ(dots.size(), 3u);
  const auto x = [&](std::size_t i) { return std::stod(dots[i].attributes.at("cx")); };
  EXPECT_NEAR(x(1) - x(0), x(2) - x(1), 0.2);
}

TEST(Plot, PutsALegendThatDoesNotFitBesideTheTitleBelowIt) {
  Plot plot{"norm of the gradient", "distance", {}};
  for (const char* name : {"rnn", "gru", "lstm", "rnn with attention", "gru with attention", "lstm with attention"}) {
    plot.lines.push_back({name, {{1, 1}, {2, 2}}});
  }
  const Drawing wide = draw_plot(plot);
  const std::vector<XmlElement> elements = parsed_xml(svg_element(wide, "plot"));
  for (const XmlElement& text : named(elements, "text", "tick")) {
    if (!text.text.ends_with("attention")) continue;
    EXPECT_LT(std::stod(text.attributes.at("x")), wide.width - widest_estimate({text.text}, kSmallSize));
    EXPECT_GT(std::stod(text.attributes.at("y")), 40);
  }
  plot.lines.resize(1);
  EXPECT_LT(draw_plot(plot).height, wide.height);
}

TEST(PlotText, HasALetterForEachPointOfALine) {
  const std::string text =
      plot_text({"BLEU", "words", {{"with", {{10, 100}, {20, 100}}}, {"without", {{10, 100}, {20, 0}}}}});
  EXPECT_NE(text.find("BLEU\n  up: BLEU; across: words\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  100 |*" + std::string(59, ' ') + "a\n"), std::string::npos) << text;
  EXPECT_NE(text.find("    0 |" + std::string(60, ' ') + "b\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  a  with\n  b  without\n  *  several\n"), std::string::npos) << text;
  EXPECT_EQ(plot_text({"BLEU", "words", {}}), "BLEU: nothing to draw\n");
}

TEST(DotPlot, HasARowForEachNameWithItsSpread) {
  const DotPlot plot{"BLEU by score", "BLEU", {{"dot", 90, 2}, {"additive", 94, 0}, {"<b>", std::nan(""), 1}}};
  const Drawing drawing = draw_dot_plot(plot);
  const std::vector<XmlElement> elements = parsed_xml(svg_element(drawing, "plot"));
  EXPECT_EQ(named(elements, "circle").size(), 2u) << "NaN is not drawn";
  EXPECT_EQ(named(elements, "line", "line line-0 whisker").size(), 1u);
  EXPECT_EQ(drawing.description, "dot: 90 ± 2. additive: 94. <b>: – ± 1. Across: BLEU.");
  EXPECT_EQ(named(parsed_xml(svg_element(draw_dot_plot({"t", "v", {}}), "plot")), "circle").size(), 0u);
}

TEST(Plot, ShowsEnoughDecimalsForCloseTicks) {
  const std::vector<std::string> ticks = texts_of(drawn({"entropy", "steps", {{"", {{1, 3.02}, {2, 3.036}}}}}), "tick");
  for (const char* tick : {"3.020", "3.025", "3.030", "3.035", "3.040"}) {
    EXPECT_NE(std::ranges::find(ticks, tick), ticks.end()) << tick;
  }
}

TEST(Plot, StaysInItsFrameForAnyInput) {
  const double none = std::nan("");
  for (const std::vector<Point>& points : {std::vector<Point>{},
                                           {{1, 1}},
                                           {{1, 0}, {2, 0}},
                                           {{1, none}, {2, HUGE_VAL}},
                                           {{5, -1e300}, {6, 1e300}},
                                           {{0, 1e-12}, {1, 2e-12}}}) {
    const std::vector<XmlElement> elements = drawn({"<b>&", "steps", {{"a", points}}});
    for (const XmlElement& dot : named(elements, "circle")) {
      EXPECT_GE(std::stod(dot.attributes.at("cx")), 0);
      EXPECT_LE(std::stod(dot.attributes.at("cy")), 300);
    }
  }
}

TEST(Plot, ThinsLongSeriesAndKeepsTheLastPoint) {
  std::vector<Point> points;
  for (int i = 0; i < 100'000; ++i) points.push_back({static_cast<double>(i), 1});
  const std::vector<Point> some = thinned(points, 600);
  EXPECT_EQ(some.size(), 600u);
  EXPECT_EQ(some.front().x, 0);
  EXPECT_EQ(some.back().x, 99'999);
  EXPECT_EQ(thinned({{1, 1}}, 600).size(), 1u);
}

TEST(PlotNumber, RoundsToAFewDigits) {
  EXPECT_EQ(plot_number(0), "0");
  EXPECT_EQ(plot_number(0.0013), "0.0013");
  EXPECT_EQ(plot_number(2.5), "2.5");
  EXPECT_EQ(plot_number(2.408), "2.41");
  EXPECT_EQ(plot_number(13252.4), "13,252");
  EXPECT_EQ(plot_number(-1500), "-1,500");
  EXPECT_EQ(plot_number(3e-5), "3e-05");
  EXPECT_EQ(plot_number(std::nan("")), "–");
}

}  // namespace
}  // namespace dhyan
