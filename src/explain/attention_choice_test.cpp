#include "explain/attention_choice.h"

#include <gtest/gtest.h>
#include <numeric>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "explain/testing/example_records.h"

namespace dhyan {
namespace {

using Words = std::vector<std::string>;

// "a b" translated by "x yz", the last word in two pieces.
SentenceUnits sentence() {
  return {.source = {{"a", "b", "</s>"}, {0, 1, 2}, true},
          .target = {{"x", "yz", "</s>"}, {0, 1, 1, 2}, true},
          .given = {{"<s>", "x", "yz"}, {0, 1, 2, 2}, false}};
}

std::vector<AttentionPlace> all_places() {
  return {AttentionPlace::kCross, AttentionPlace::kDecoder, AttentionPlace::kEncoder};
}

std::vector<std::string> titles(const AttentionChoice& choice) {
  std::vector<std::string> titles;
  for (const AttentionMap& map : attention_maps(example_records(), sentence(), choice)) titles.push_back(map.title);
  return titles;
}

std::string refused(const AttentionChoice& choice, const std::vector<AttentionRecord>& records = example_records()) {
  return thrown<UsageError>([&] { attention_maps(records, sentence(), choice); });
}

TEST(AttentionMaps, ShowCrossAttentionByDefault) {
  EXPECT_EQ(titles({}), (Words{"cross-attention, layer 1, head 1", "cross-attention, layer 1, head 2",
                               "cross-attention, layer 2, head 1", "cross-attention, layer 2, head 2"}));
  const auto only = attention_maps(example_records({.decoder_only = true}), sentence());
  EXPECT_EQ(only.at(0).title, "decoder self-attention, layer 1, head 1");
}

TEST(AttentionMaps, LabelRowsAndColumns) {
  const auto maps = attention_maps(example_records({.layers = 1, .heads = 1}), sentence(), {.places = all_places()});
  ASSERT_EQ(maps.size(), 3u);
  EXPECT_EQ(maps[0].rows, (Words{"x", "yz", "</s>"}));
  EXPECT_EQ(maps[0].columns, (Words{"a", "b", "</s>"}));
  EXPECT_EQ(maps[1].rows, (Words{"x", "yz", "</s>"}));
  EXPECT_EQ(maps[1].columns, (Words{"<s>", "x", "yz"}));
  EXPECT_EQ(maps[1].weights[0], (std::vector<double>{1, 0, 0})) << "only <s> precedes the first word";
  EXPECT_EQ(maps[2].rows, (Words{"a", "b", "</s>"}));
  EXPECT_EQ(maps[2].columns, (Words{"a", "b", "</s>"}));
  EXPECT_EQ(by_place(maps).size(), 3u);
}

TEST(AttentionMaps, StartWithTheSourceForADecoderOnlyModel) {
  const auto maps = attention_maps(example_records({.decoder_only = true}), sentence());
  EXPECT_EQ(maps.at(0).columns, (Words{"a", "b", "</s>", "<s>", "x", "yz"}));
}

TEST(AttentionMaps, HaveRowsThatSumToOneForEverySummary) {
  for (const SummaryKind& kind : kSummaries) {
    const auto maps = attention_maps(example_records(), sentence(), {.places = all_places(), .summary = kind.value});
    EXPECT_EQ(maps.size(), kind.value == Summary::kNone ? 12u : 3u) << kind.name;
    for (const AttentionMap& map : maps) {
      for (const auto& row : map.weights) EXPECT_NEAR(std::accumulate(row.begin(), row.end(), 0.0), 1, 1e-5);
    }
  }
}

TEST(AttentionMaps, HaveNoTitleIfTheModelHasOnlyOne) {
  const auto records = example_records({.layers = 1, .heads = 1});
  const std::vector<AttentionRecord> one{records.front()};
  EXPECT_EQ(attention_maps(one, sentence()).at(0).title, "");
  EXPECT_EQ(attention_maps(one, sentence(), {.summary = Summary::kMean}).at(0).title, "");
}

TEST(AttentionMaps, NameTheSummaryInTheTitle) {
  EXPECT_EQ(titles({.summary = Summary::kMean}), Words{"cross-attention, mean of 2 layers and 2 heads"});
  EXPECT_EQ(titles({.layer = 1, .summary = Summary::kMean}), Words{"cross-attention, layer 1, mean of 2 heads"});
  EXPECT_EQ(titles({.head = 2, .summary = Summary::kMean}), Words{"cross-attention, head 2, mean of 2 layers"});
  EXPECT_EQ(titles({.layer = 2, .head = 1, .summary = Summary::kMean}), Words{"cross-attention, layer 2, head 1"});
  EXPECT_EQ(titles({.summary = Summary::kLast}), Words{"cross-attention, layer 2, mean of 2 heads"});
  EXPECT_EQ(titles({.layer = 1, .summary = Summary::kRollout}), Words{"cross-attention, rollout through 1 layer"});
}

TEST(AttentionMaps, AverageTheChosenLayersAndHeads) {
  const auto apart = attention_maps(example_records(), sentence());
  const auto mean = attention_maps(example_records(), sentence(), {.summary = Summary::kMean}).at(0);
  const auto last = attention_maps(example_records(), sentence(), {.summary = Summary::kLast}).at(0);
  double all = 0;
  for (const AttentionMap& map : apart) all += map.weights[1][0] / 4;
  EXPECT_NEAR(mean.weights[1][0], all, 1e-12);
  EXPECT_NEAR(last.weights[1][0], (apart[2].weights[1][0] + apart[3].weights[1][0]) / 2, 1e-12);
  EXPECT_FALSE(mean.layer);
  EXPECT_EQ(last.layer, 1);
  EXPECT_FALSE(last.head);
}

TEST(AttentionMaps, RefusePlacesLayersAndHeadsTheModelLacks) {
  EXPECT_EQ(refused({.layer = 3}), "attention: there is no layer 3 of cross-attention; this model has 2");
  EXPECT_EQ(refused({.head = 0}), "attention: there is no head 0 of cross-attention; this model has 2");
  EXPECT_EQ(refused({.head = 1, .summary = Summary::kRollout}),
            "attention: rollout combines all heads; it cannot show a single head");
  const std::vector<AttentionRecord> recurrent{example_records().front()};
  EXPECT_EQ(refused({.places = {AttentionPlace::kEncoder}}, recurrent),
            "attention: this model has no encoder self-attention; it has: cross");
  EXPECT_EQ(refused({.layer = 2}, recurrent), "attention: there is no layer 2 of cross-attention; this model has 1");
}

TEST(AttentionMaps, AreEmptyForAModelWithoutAttention) {
  EXPECT_TRUE(attention_maps({}, sentence(), {.summary = Summary::kMean}).empty());
  for (const AttentionChoice& choice :
       {AttentionChoice{.layer = 1}, AttentionChoice{.head = 1}, AttentionChoice{.places = all_places()}}) {
    EXPECT_EQ(refused(choice, {}), "attention: this model does not attend; there is nothing to choose from");
  }
}

}  // namespace
}  // namespace dhyan
