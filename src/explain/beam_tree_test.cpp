#include "explain/beam_tree.h"

#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "explain/parsed_xml.h"
#include "explain/without_colour.h"
#include "text/trained_on.h"
#include "text/word_tokenizer.h"

namespace dhyan {
namespace {

using Fate = BeamNode::Fate;

// "I eat" is found; "I am" lives on, "we" was given up.
BeamTree example_tree() {
  const TokenizerPair tokenizers = pair_trained_on<WordTokenizer>("मैं", "I we eat am");
  const auto id = [&](const char* word) { return tokenizers.target->encode(word).ids.front(); };
  BeamRecord record;
  record.nodes = {{-1, 1, id("I"), Fate::kKept, std::log(0.75), std::log(0.75), -0.3},
                  {-1, 1, id("we"), Fate::kPruned, std::log(0.125), std::log(0.125), -2},
                  {0, 2, id("eat"), Fate::kKept, std::log(0.5), std::log(0.375), -0.5},
                  {0, 2, id("am"), Fate::kKept, std::log(0.25), std::log(0.1875), -0.8},
                  {2, 3, kEnd, Fate::kEnded, std::log(1.0), std::log(0.375), -0.3}};
  record.best = {4};
  return beam_tree("मैं <खा>", "I eat", record, *tokenizers.target);
}

TEST(BeamTree, KnowsTheTextOfEachNodeAndTheWayToTheBest) {
  const BeamTree tree = example_tree();
  EXPECT_EQ(tree.nodes[3].text, "I am");
  EXPECT_EQ(tree.nodes[4].text, "I eat </s>");
  EXPECT_EQ(tree.nodes[4].word, "</s>");
  const std::vector<bool> best{true, false, true, false, true};
  for (std::size_t i = 0; i < best.size(); ++i) EXPECT_EQ(tree.nodes[i].best, best[i]) << i;
  EXPECT_NEAR(tree.nodes[2].probability, 0.5, 1e-9);
  EXPECT_EQ(last_step(tree), 3);
}

TEST(BeamTree, IsTextStepByStep) {
  const std::string text = beam_text(example_tree(), {});
  EXPECT_TRUE(text.find("\nstep 2        p     log p     score\n * ●   0.500    -0.981    -0.500  I eat\n"
                        "   ●   0.250    -1.674    -0.800  I am\n") != text.npos)
      << text;
  EXPECT_TRUE(text.find("   ×   0.125    -2.079    -2.000  we\n") != text.npos) << text;
  EXPECT_TRUE(text.find(" * ✔   1.000    -0.981    -0.300  I eat </s>\n") != text.npos) << text;
  EXPECT_EQ(without_colour(beam_text(example_tree(), {.colour = Colour::kYes})), text);
}

TEST(BeamTree, IsJson) {
  const auto json = nlohmann::json::parse(beam_json(example_tree(), {}));
  EXPECT_EQ(json["found"], (std::vector<int>{4}));
  ASSERT_EQ(json["nodes"].size(), 5U);
  EXPECT_EQ(json["nodes"][1]["fate"], "pruned");
  EXPECT_EQ(json["nodes"][4]["parent"], 2);
  EXPECT_EQ(json["nodes"][4]["text"], "I eat </s>");
  EXPECT_NEAR(json["nodes"][0]["probability"].get<double>(), 0.75, 1e-6);
}

TEST(BeamTree, IsAPictureWithANodeForEachWordAndAnEdgeToItsParent) {
  const auto elements = parsed_xml(beam_svg(example_tree(), {}));
  EXPECT_EQ(named(elements, "rect", "cell").size(), 5U);
  EXPECT_EQ(named(elements, "path", "edge best").size(), 2U);
  EXPECT_EQ(named(elements, "path", "edge kept").size(), 1U);
  EXPECT_EQ(named(elements, "g", "pruned").size(), 1U);
  const auto svg = elements.front();
  const double width = std::stod(svg.attributes.at("width")), height = std::stod(svg.attributes.at("height"));
  for (const XmlElement& rect : named(elements, "rect", "cell")) {
    EXPECT_LE(std::stod(rect.attributes.at("x")) + std::stod(rect.attributes.at("width")), width);
    EXPECT_LE(std::stod(rect.attributes.at("y")) + std::stod(rect.attributes.at("height")), height);
  }
}

TEST(BeamTree, IsAPage) {
  const std::string page = beam_html(example_tree(), {});
  const auto elements = parsed_xml(page.substr(page.find('\n') + 1));
  EXPECT_EQ(named(elements, "svg").size(), 1U);
  EXPECT_EQ(named(elements, "tr").size(), 6U);
  EXPECT_TRUE(page.find("&lt;खा&gt;") != page.npos);
}

TEST(BeamTree, HasFormatsByNameAndEnding) {
  EXPECT_EQ(beam_formats().front().name, "text");
  for (const BeamFormat& format : beam_formats()) {
    if (format.name == "png") continue;  // needs a library
    EXPECT_FALSE(format.render(example_tree(), {}).empty()) << format.name;
    EXPECT_FALSE(format.render({}, {}).empty()) << format.name;
  }
}

}  // namespace
}  // namespace dhyan
