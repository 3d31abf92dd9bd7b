#include "translator/word_links.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "text/word_tokenizer.h"
#include "translator/testing/tiny_text_model.h"

namespace dhyan {
namespace {

using Rows = std::vector<std::vector<Real>>;

const Rows kStraight{{0.8, 0.1, 0.1}, {0.1, 0.8, 0.1}, {0, 0, 1}},
    kCrossed{{0.1, 0.8, 0.1}, {0.8, 0.1, 0.1}, {0, 0, 1}},
    kLate{{0, 0, 1}, {0.8, 0.1, 0.1}, {0.1, 0.8, 0.1}};  // as kStraight, a step later

const TokenizerPair& two_words() {
  static const TokenizerPair tokenizers = pair_trained_on<WordTokenizer>("a b", "x y");
  return tokenizers;
}

// "a b" and "x y" with these weights, a head each, two to a layer.
Translation forced_with(const std::vector<Rows>& heads, bool reverse = false) {
  const TokenizerPair& t = two_words();
  Translation forced;
  forced.source = reverse ? "x y" : "a b";
  forced.text = reverse ? "a b" : "x y";
  forced.source_tokens = (reverse ? t.target : t.source)->encode(forced.source).ids;
  forced.hypothesis.tokens = (reverse ? t.source : t.target)->encode(forced.text).ids;
  forced.source_tokens.push_back(kEnd);
  forced.hypothesis.tokens.push_back(kEnd);
  for (std::size_t i = 0; i < heads.size(); ++i) {
    forced.hypothesis.attention.push_back(
        {.layer = static_cast<Index>(i / 2), .head = static_cast<Index>(i % 2), .weights = heads[i]});
  }
  return forced;
}

Links links_read(const Translation& forced, const AttentionReading& reading) {
  return links_of(word_map("align", forced, two_words(), reading));
}

TEST(WordLinks, AreReadFromTheChosenAttention) {
  const Translation forced = forced_with({kStraight, kCrossed, kLate, kLate});
  const Links straight{{0, 0}, {1, 1}}, crossed{{1, 0}, {0, 1}};
  EXPECT_EQ(links_read(forced, {.layer = 1, .head = 1}), straight);
  EXPECT_EQ(links_read(forced, {.layer = 1, .head = 2}), crossed);
  EXPECT_EQ(links_read(forced, {.layer = 2, .head = 1}), (Links{{0, 1}})) << "x looks at </s>";
  EXPECT_EQ(links_read(forced, {.layer = 2, .head = 1, .shifted = true}), straight);
  EXPECT_THROW(links_read(forced, {.layer = 3}), UsageError);
  EXPECT_TRUE(links_read(Translation(), {}).empty());
}

TEST(WordLinks, AreAllThatReachAThreshold) {
  const AttentionMap map =
      word_map("align", forced_with({{{0.5, 0.4, 0.1}, {0.3, 0.2, 0.5}, {0, 0, 1}}}), two_words(), {});
  EXPECT_EQ(links_of(map), (Links{{0, 0}})) << "y looks at </s>";
  EXPECT_EQ(links_of(map, 0.3), (Links{{0, 0}, {1, 0}, {0, 1}}));
  EXPECT_EQ(links_of(map, 0.6), Links());
}

TEST(WordLinks, AreAveragedOverBothDirections) {
  const AttentionMap there = word_map("align", forced_with({kStraight}), two_words(), {});
  const AttentionMap back =
      word_map("align", forced_with({kCrossed}, true), {two_words().target, two_words().source}, {});
  EXPECT_EQ(average_links(there, back, 0.5), Links()) << "0.8 one way is 0.1 the other way";
  EXPECT_EQ(average_links(there, back, 0.4).size(), 4U);
  EXPECT_EQ(average_links(there, {}, 0), Links());
}

TEST(WordLinks, CanBeReadInEveryLayerHeadAndStep) {
  const Translation forced = forced_with({kStraight, kCrossed, kStraight, kStraight});
  EXPECT_EQ(readings_of(forced.hypothesis.attention, false).size(), 2U * 2 * 3) << "two heads and their mean";
  EXPECT_EQ(readings_of(forced.hypothesis.attention, true).size(), 2U * 3);
  EXPECT_EQ(readings_of(forced_with({kStraight}).hypothesis.attention, true),
            (std::vector<AttentionReading>{{.layer = 1}}));
}

TEST(WordLinks, AreReadWhereBothDirectionsAgree) {
  const std::vector<Translation> there{forced_with({kCrossed, kLate})}, back{forced_with({kCrossed, kStraight}, true)};
  const std::vector<AttentionReading> heads{
      {.layer = 1, .head = 1}, {.layer = 1, .head = 2}, {.layer = 1, .head = 2, .shifted = true}};
  const TokenizerPair swapped{two_words().target, two_words().source};
  // Crossed links agree with crossed ones, and the late straight ones with the straight ones: the first is found.
  AgreedReadings best = agreed_readings("align", {there, two_words(), heads}, {back, swapped, {heads[0], heads[1]}});
  EXPECT_EQ(best.forward, heads[0]);
  EXPECT_EQ(best.reverse, heads[0]);
  EXPECT_EQ(best.agreement, 1);
  best = agreed_readings("align", {there, two_words(), heads}, {back, swapped, {heads[1]}});
  EXPECT_EQ(best.forward, heads[2]);
  EXPECT_EQ(in_words(best.forward), "layer 1, head 2, of the step that reads the word");
}

TEST(WordLinks, OfAModelOfCharactersAreBetweenWords) {
  const Translator translator(tiny_text_model("transformer"));
  const std::vector<std::string> sources{"ab c"}, targets{"uv w x"};
  const Translation forced = translator.force(sources, targets, {.keep = RecordedAttention::kWeights}).front();
  const AttentionMap map = word_map("align", forced, translator.tokenizers(), {.layer = 2});
  EXPECT_EQ(map.columns.size(), 3U);
  EXPECT_EQ(map.rows.size(), 4U);
}

}  // namespace
}  // namespace dhyan
