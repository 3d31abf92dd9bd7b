// Properties of every kind of picture.

#include <gtest/gtest.h>

#include "explain/beam_tree.h"
#include "explain/line_view.h"
#include "explain/plot.h"
#include "explain/svg.h"
#include "explain/testing/example_explanation.h"
#include "explain/testing/text_boxes.h"

namespace dhyan {
namespace {

// Long words; every fourth is short and the last is </s>.
std::vector<std::string> long_words(std::size_t count, const std::string& word) {
  std::vector<std::string> words(count, word);
  for (std::size_t i = 0; i < count; i += 4) words[i] = "मैं";
  words.back() = "</s>";
  return words;
}

// Maps with the given numbers of words and uniform weights.
Explanation with_words(Explanation explanation, std::size_t columns, std::size_t rows) {
  for (AttentionMap& map : explanation.maps) {
    map.columns = long_words(columns, "विश्वविद्यालयों");
    map.rows = long_words(rows, "internationalisation");
    map.weights.assign(rows, std::vector<double>(columns, 1.0 / static_cast<double>(columns)));
  }
  return explanation;
}

Explanation at_place(AttentionPlace place, Explanation explanation) {
  for (AttentionMap& map : explanation.maps) {
    map.place = place;
    map.title = title_of(place);
    if (place != AttentionPlace::kCross) map.rows = map.columns;
    map.weights.assign(map.rows.size(), std::vector<double>(map.columns.size(), 0));
  }
  return explanation;
}

Explanation titled(Explanation explanation) {
  explanation.maps.front().title = "cross-attention, mean of 6 layers and 8 heads";
  return explanation;
}

BeamTree tree_of(const std::vector<std::string>& words, std::size_t beam) {
  BeamTree tree{.source = "", .translation = "", .nodes = {}, .found = {}};
  for (std::size_t step = 0; step < words.size(); ++step) {
    for (std::size_t i = 0; i < beam; ++i) {
      BeamTree::Node node;
      node.parent = step == 0 ? -1 : static_cast<Index>((step - 1) * beam);
      node.step = static_cast<Index>(step) + 1;
      node.word = words[step];
      node.fate = i + 1 == beam ? BeamNode::Fate::kPruned : BeamNode::Fate::kKept;
      node.best = i == 0;
      node.probability = 0.5;
      node.log_probability = -12.34;
      tree.nodes.push_back(node);
    }
  }
  return tree;
}

Plot curve(double least, double most, Scale scale) {
  return {.title = "perplexity",
          .across = "step",
          .lines = {{"training", {{50, most}, {3000, least}}}, {"held-out", {{50, most}, {3000, most / 2}}}},
          .up = "perplexity of the words to predict",
          .reading = "Lower is better.",
          .scale = scale};
}

struct ExamplePicture {
  std::string name;
  std::string svg;
};

std::vector<ExamplePicture> pictures() {
  const Explanation one = example_explanation(), heads = example_heads(2, 3);
  Explanation single = one;
  single.maps.front().rows = {"</s>"};
  single.maps.front().weights.resize(1);
  return {
      {"map", to_svg(one)},
      {"titled map", to_svg(titled(one))},
      {"map of 12 long words", to_svg(titled(with_words(one, 12, 9)))},
      {"map of 30 long words", to_svg(with_words(one, 30, 20))},
      {"map of 60 long words", to_svg(titled(with_words(one, 60, 50)))},
      {"map of one row", to_svg(single)},
      {"encoder", to_svg(at_place(AttentionPlace::kEncoder, one))},
      {"encoder of two words", to_svg(at_place(AttentionPlace::kEncoder, with_words(one, 2, 2)))},
      {"decoder", to_svg(at_place(AttentionPlace::kDecoder, one))},
      {"grid", to_svg(heads)},
      {"grid of two words", to_svg(with_words(heads, 2, 2))},
      {"grid of the encoder", to_svg(at_place(AttentionPlace::kEncoder, example_heads(1, 2)))},
      {"grid of 6 layers, 8 heads, 20 long words", to_svg(with_words(example_heads(6, 8), 20, 20))},
      {"grid of 30 words", to_svg(with_words(heads, 30, 20))},
      {"grid of 90 words", to_svg(with_words(heads, 90, 80))},
      {"vector", to_svg(example_context_vector())},
      {"beam", standalone_svg(draw_beam(tree_of({"I", "am", "</s>"}, 3)), "beam")},
      {"beam of one", standalone_svg(draw_beam(tree_of({"</s>"}, 1)), "beam")},
      {"beam of long words", standalone_svg(draw_beam(tree_of(long_words(12, "विश्वविद्यालयों"), 8)), "beam")},
      {"lines", lines_svg(one, {})},
      {"lines of 3 heads", lines_svg(example_heads(1, 3), {})},
      {"lines of 12 long words", lines_svg(with_words(example_heads(1, 8), 12, 9), {})},
      {"lines of one row", lines_svg(single, {})},
      {"linear plot", standalone_svg(draw_plot(curve(1, 3, Scale::kLinear)), "plot")},
      {"logarithmic plot", standalone_svg(draw_plot(curve(3, 90'000, Scale::kByRange)), "plot")},
  };
}

std::string joined_texts(const std::vector<XmlElement>& texts) {
  std::string text;
  for (const XmlElement& one : texts) text += cat(text.empty() ? "" : " ", one.text);
  return text;
}

TEST(Picture, NamesBothAxes) {
  for (const ExamplePicture& picture : pictures()) {
    const auto axes = named(parsed_xml(picture.svg), "text", "axis-name");
    ASSERT_EQ(axes.size(), 2u) << picture.name;
    for (const XmlElement& axis : axes) EXPECT_FALSE(axis.text.empty()) << picture.name;
  }
}

TEST(Picture, HasACaptionThatIsAlsoInItsDescription) {
  for (const ExamplePicture& picture : pictures()) {
    const auto elements = parsed_xml(picture.svg);
    const std::string reading = joined_texts(named(elements, "text", "reading"));
    EXPECT_TRUE(reading.ends_with('.')) << picture.name;
    EXPECT_NE(named(elements, "desc").front().text.find(reading), std::string::npos) << picture.name;
  }
}

TEST(Picture, ExplainsTheEndTokenWhereItAppears) {
  for (const ExamplePicture& picture : pictures()) {
    const auto elements = parsed_xml(picture.svg);
    const bool is_plot = picture.name.ends_with("plot"), is_vector = picture.name == "vector";
    const std::string reading = joined_texts(named(elements, "text", "reading"));
    EXPECT_EQ(reading.find("</s> marks the end of a sentence") != std::string::npos, !is_plot && !is_vector)
        << picture.name << ": " << reading;
  }
}

TEST(Picture, HasNoOverlappingOrClippedText) {
  for (const ExamplePicture& picture : pictures()) expect_texts_apart(picture.name, picture.svg);
}

TEST(Picture, HasAWeightScaleIfItHasCellsOfWeights) {
  for (const ExamplePicture& picture : pictures()) {
    const bool has_weights = picture.name.find("map") != picture.name.npos ||
                             picture.name.find("grid") != picture.name.npos ||
                             picture.name.find("coder") != picture.name.npos;
    EXPECT_EQ(picture.svg.find(">weight α 0<") != std::string::npos, has_weights) << picture.name;
  }
}

TEST(TextBox, OverlapsOnlyTheBoxesItCovers) {
  const auto box = [](const char* text, const char* x, const char* transform) {
    XmlElement element{"text", {{"class", "column"}, {"x", x}, {"y", "100"}}, text};
    if (*transform != '\0') element.attributes["transform"] = transform;
    return text_box(element);
  };
  EXPECT_TRUE(overlap(box("word", "10", ""), box("word", "30", "")));
  EXPECT_FALSE(overlap(box("word", "10", ""), box("word", "60", "")));
  EXPECT_TRUE(overlap(box("long word", "10", "rotate(-45 10 100)"), box("long word", "22", "rotate(-45 22 100)")));
  EXPECT_FALSE(overlap(box("long word", "10", "rotate(-45 10 100)"), box("long word", "40", "rotate(-45 40 100)")));
}

TEST(WidestEstimate, HasRoomForSymbolsAndShapedScripts) {
  const double latin = widest_estimate({"word"}, 10);
  EXPECT_GE(latin, 4 * 6);
  EXPECT_GE(widest_estimate({"\uFFFD\uFFFD\uFFFD\uFFFD"}, 10), 4 * 9.5);
  EXPECT_GE(widest_estimate({"▁wor"}, 10), 4 * 9.5);
}

TEST(Marks, AreExplainedInOneSentence) {
  EXPECT_EQ(marks_in_words(std::vector<std::string>{"a", "</s>"}), "</s> marks the end of a sentence.");
  EXPECT_EQ(marks_in_words(std::vector<std::string>{"</s>", "▁a", "<s>"}),
            "<s> marks the beginning of a text, </s> the end of a sentence, ▁ a space.");
  EXPECT_EQ(marks_in_words(std::vector<std::string>{"a", "<0x57>", "<0x65>"}),
            "<0x57> marks one byte of a character outside the vocabulary.");
  EXPECT_EQ(marks_in_words(std::vector<std::string>{"a"}), "");
}

TEST(Axes, AreNamedByPlace) {
  AttentionMap map = example_explanation().maps.front();
  EXPECT_EQ(axes_of(map).across, "source");
  EXPECT_EQ(axes_of(map).down, "translation");
  map.place = AttentionPlace::kDecoder;
  EXPECT_EQ(axes_of(map).across, "source, and what is written so far") << "columns with </s> contain the source";
  map.columns = {"<s>", "I", "am", "eating", "fo"};
  EXPECT_EQ(axes_of(map).across, "read so far");
}

}  // namespace
}  // namespace dhyan
