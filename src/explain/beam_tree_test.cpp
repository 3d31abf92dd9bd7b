#include "explain/beam_tree.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "explain/number_format.h"
#include "explain/testing/parsed_xml.h"
#include "explain/testing/without_colour.h"
#include "text/character_tokenizer.h"
#include "text/testing/trained_on.h"
#include "text/word_tokenizer.h"

namespace dhyan {
namespace {

using Fate = BeamNode::Fate;

// Search found "I eat", kept "I am" and pruned "we".
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

TEST(BeamTree, HasTheTextOfEachNodeAndThePathOfTheBest) {
  const BeamTree tree = example_tree();
  EXPECT_EQ(tree.nodes[3].text, "I am");
  EXPECT_EQ(tree.nodes[4].text, "I eat </s>");
  EXPECT_EQ(tree.nodes[4].word, "</s>");
  const std::vector<bool> best{true, false, true, false, true};
  for (std::size_t i = 0; i < best.size(); ++i) EXPECT_EQ(tree.nodes[i].best, best[i]) << i;
  EXPECT_NEAR(tree.nodes[2].probability, 0.5, 1e-9);
  EXPECT_EQ(last_step(tree), 3);
}

TEST(BeamTree, PrintsTextWordByWord) {
  const std::string text = beam_text(example_tree(), {});
  EXPECT_TRUE(text.find("\nword 2       p     log p     score\n * ●   0.500    -0.981    -0.500  I eat\n"
                        "   ●   0.250    -1.674    -0.800  I am\n") != text.npos)
      << text;
  EXPECT_TRUE(text.find("   ×   0.125    -2.079    -2.000  we\n") != text.npos) << text;
  EXPECT_TRUE(text.find(" * ✔   1.000    -0.981    -0.300  I eat </s>\n") != text.npos) << text;
  EXPECT_EQ(without_colour(beam_text(example_tree(), {.colour = Colour::kYes})), text);
}

// A search by characters, all of probability 1/2. It kept "go" and "got" and pruned "no" after "n":
//   g - o - </s>
//        \\ t - ' ' - i - </s>
//   n (pruned)
BeamRecord spelled(const Tokenizer& characters) {
  const auto id = [&](const char* letter) { return characters.encode(letter).ids.front(); };
  BeamRecord record;
  const auto add = [&](Index parent, Index step, TokenId token, Fate fate) {
    record.nodes.push_back({parent, step, token, fate, std::log(0.5), static_cast<double>(step) * std::log(0.5), -1});
  };
  add(-1, 1, id("g"), Fate::kKept);    // 0
  add(-1, 1, id("n"), Fate::kPruned);  // 1
  add(0, 2, id("o"), Fate::kKept);     // 2
  add(2, 3, kEnd, Fate::kEnded);       // 3
  add(2, 3, id("t"), Fate::kKept);     // 4
  add(4, 4, id(" "), Fate::kKept);     // 5
  add(4, 4, id("i"), Fate::kPruned);   // 6
  add(5, 5, id("i"), Fate::kKept);     // 7
  add(5, 5, id("n"), Fate::kPruned);   // 8
  add(7, 6, kEnd, Fate::kEnded);       // 9
  record.best = {9, 3};
  return record;
}

const BeamTree::Node& node_of(const BeamTree& tree, const std::string& text) {
  const auto found = std::ranges::find(tree.nodes, text, &BeamTree::Node::text);
  EXPECT_NE(found, tree.nodes.end()) << text;
  return found == tree.nodes.end() ? tree.nodes.front() : *found;
}

TEST(BeamTree, JoinsThePiecesOfAWord) {
  const auto characters = trained_on<CharacterTokenizer>({"go not i"});
  const BeamTree tree = beam_tree("", "got i", spelled(characters), characters);
  std::vector<std::string> words;
  for (const BeamTree::Node& node : tree.nodes) words.push_back(cat(node.step, ' ', node.word));
  EXPECT_EQ(words, (std::vector<std::string>{"1 go", "1 got", "1 n", "1 goti", "2 </s>", "2 i", "2 n", "3 </s>"}));
  EXPECT_EQ(tree.nodes[static_cast<std::size_t>(node_of(tree, "got i").parent)].text, "got");
  EXPECT_EQ(tree.nodes[static_cast<std::size_t>(node_of(tree, "go </s>").parent)].text, "go");
  EXPECT_NEAR(node_of(tree, "got").probability, 0.125, 1e-9) << "of all its pieces";
  EXPECT_NEAR(node_of(tree, "got i").probability, 0.25, 1e-9) << "the space before it is one of its pieces";
  EXPECT_EQ(node_of(tree, "goti").fate, Fate::kPruned);
  ASSERT_EQ(tree.found.size(), 2u);
  EXPECT_EQ(tree.nodes[static_cast<std::size_t>(tree.found[0])].text, "got i </s>");
  EXPECT_EQ(tree.nodes[static_cast<std::size_t>(tree.found[1])].text, "go </s>");
  for (const BeamTree::Node& node : tree.nodes) {
    EXPECT_EQ(node.best, node.text == "got" || node.text == "got i" || node.text == "got i </s>") << node.text;
  }
}

TEST(BeamTree, HasParentsFirstAndPrunedNodesLast) {
  const auto characters = trained_on<CharacterTokenizer>({"go not i"});
  const BeamTree tree = beam_tree("", "got i", spelled(characters), characters);
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    EXPECT_LT(tree.nodes[i].parent, static_cast<Index>(i));
    const bool same_step = i > 0 && tree.nodes[i - 1].step == tree.nodes[i].step;
    EXPECT_FALSE(same_step && tree.nodes[i - 1].fate == Fate::kPruned && tree.nodes[i].fate != Fate::kPruned) << i;
  }
}

TEST(BeamTree, ShowsSubwordsOnRequest) {
  const auto characters = trained_on<CharacterTokenizer>({"go not i"});
  const BeamTree tree = beam_tree("", "got i", spelled(characters), characters, Units::kSubwords);
  EXPECT_EQ(tree.nodes.size(), 10u);
  EXPECT_EQ(last_step(tree), 6);
  EXPECT_TRUE(beam_text(tree, {}).find("\nsubword 6 ") != std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(beam_json(tree, {}))["units"], "subword");
}

// A search that stopped at a space: its next word is unknown, and the space must not hide the previous word.
TEST(BeamTree, ShowsASpaceThatNoWordFollows) {
  const auto characters = trained_on<CharacterTokenizer>({"go not i"});
  BeamRecord record = spelled(characters);
  record.nodes.resize(6);
  record.best = {5, 3};
  const BeamTree tree = beam_tree("", "got", record, characters);
  EXPECT_EQ(tree.nodes.back().step, 2);
  EXPECT_EQ(tree.nodes[static_cast<std::size_t>(tree.found[0])].word, " ");
  EXPECT_EQ(tree.nodes[static_cast<std::size_t>(tree.nodes[static_cast<std::size_t>(tree.found[0])].parent)].word,
            "got");
}

TEST(BeamTree, WritesJson) {
  const auto json = nlohmann::json::parse(beam_json(example_tree(), {}));
  EXPECT_EQ(json["found"], (std::vector<int>{4}));
  ASSERT_EQ(json["nodes"].size(), 5U);
  EXPECT_EQ(json["nodes"][1]["fate"], "pruned");
  EXPECT_EQ(json["nodes"][4]["parent"], 2);
  EXPECT_EQ(json["nodes"][4]["text"], "I eat </s>");
  EXPECT_NEAR(json["nodes"][0]["probability"].get<double>(), 0.75, 1e-6);
}

TEST(BeamTree, DrawsANodeForEachWordAndAnEdgeToItsParent) {
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

TEST(BeamTree, ShowsTheScoreBelowFinishedHypotheses) {
  BeamTree tree = example_tree();
  tree.nodes[4].log_probability = -3;
  tree.nodes[4].score = -0.75;
  ASSERT_EQ(tree.nodes[4].fate, Fate::kEnded);
  std::vector<std::string> below;
  for (const XmlElement& text : named(parsed_xml(beam_svg(tree, {})), "text", "number small")) {
    below.push_back(text.text);
  }
  EXPECT_NE(std::ranges::find(below, "score -0.75"), below.end());
  EXPECT_EQ(std::ranges::find(below, "-3.00"), below.end());
  EXPECT_NE(std::ranges::find(below, fixed(tree.nodes[0].log_probability, 2)), below.end())
      << "unfinished hypotheses show log p";
  EXPECT_NE(draw_beam(tree).description.find("Search ranks finished hypotheses by score."), std::string::npos);
}

TEST(BeamTree, WritesAnHtmlPage) {
  const std::string page = beam_html(example_tree(), {});
  const auto elements = parsed_xml(page.substr(page.find('\n') + 1));
  EXPECT_EQ(named(elements, "svg").size(), 1U);
  EXPECT_EQ(named(elements, "tr").size(), 6U);
  EXPECT_TRUE(page.find("&lt;खा&gt;") != page.npos);
}

TEST(BeamTree, RendersEveryFormat) {
  EXPECT_EQ(beam_formats().front().name, "text");
  for (const BeamFormat& format : beam_formats()) {
    if (format.name == "png") continue;  // needs a library
    EXPECT_FALSE(format.render(example_tree(), {}).empty()) << format.name;
    EXPECT_FALSE(format.render({}, {}).empty()) << format.name;
  }
}

}  // namespace
}  // namespace dhyan
