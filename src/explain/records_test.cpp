#include "explain/records.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/testing/not_finite.h"
#include "core/testing/thrown.h"
#include "explain/testing/example_explanation.h"

namespace dhyan {
namespace {

Explanation two_by_two() {
  Explanation small;
  small.source = "a \"b\"";
  small.translation = "x, y";
  small.log_probability = -1.5;
  small.units = Units::kSubwords;
  small.source_units = {"a,\"b\"", "</s>"};
  small.target_units = {"x\ny", "</s>"};
  small.target_scores = {-1, -0.5};
  AttentionMap map;
  map.columns = small.source_units;
  map.rows = small.target_units;
  map.weights = {{0.75, 0.25}, {0.125, 0.875}};
  small.maps = {map};
  return small;
}

TEST(Json, MatchesTheGoldenText) {
  EXPECT_EQ(to_json(two_by_two()), R"({
  "source": "a \"b\"",
  "translation": "x, y",
  "log_probability": -1.5,
  "units": "subword",
  "source_units": ["a,\"b\"", "</s>"],
  "target_units": ["x\ny", "</s>"],
  "target_log_probabilities": [-1, -0.5],
  "attention": {
    "axes": ["layer", "head", "target", "source"],
    "weights":
    [[[[0.75, 0.25],
       [0.125, 0.875]]]]
  }
}
)");
}

TEST(Json, HasTheAxesLayerHeadTargetSource) {
  Explanation several = two_by_two();
  const AttentionMap map = several.maps.front();
  several.maps.clear();
  for (Index layer = 0; layer < 3; ++layer) {
    for (Index head = 0; head < 2; ++head) {
      several.maps.push_back(map);
      several.maps.back().layer = layer;
      several.maps.back().head = head;
      several.maps.back().weights[1][0] = static_cast<double>(10 * layer + head);
    }
  }
  const auto weights = nlohmann::json::parse(to_json(several))["attention"]["weights"];
  ASSERT_EQ(weights.size(), 3u);
  for (std::size_t layer = 0; layer < 3; ++layer) {
    ASSERT_EQ(weights[layer].size(), 2u);
    for (std::size_t head = 0; head < 2; ++head) EXPECT_EQ(weights[layer][head][1][0], 10 * layer + head);
  }
}

TEST(Json, HasEnergiesIfTheyWereRecorded) {
  Explanation with = two_by_two();
  with.maps.front().energy = {{1.5, -kInfinity}, {0, kNan}};
  const auto energies = nlohmann::json::parse(to_json(with))["attention"]["energies"];
  EXPECT_EQ(energies[0][0][0][0], 1.5);
  EXPECT_TRUE(energies[0][0][0][1].is_null());
  EXPECT_FALSE(nlohmann::json::parse(to_json(two_by_two()))["attention"].contains("energies"));
}

// Cross-attention and decoder self-attention.
Explanation two_by_two_places() {
  Explanation two = two_by_two();
  two.maps.push_back(two.maps.front());
  two.maps.back().place = AttentionPlace::kDecoder;
  two.maps.back().columns = {"<s>", "x\ny"};
  return two;
}

TEST(Json, HasAKeyForEachPlace) {
  const auto parsed = nlohmann::json::parse(to_json(two_by_two_places()));
  const auto& decoder = parsed["decoder_attention"];
  EXPECT_EQ(decoder["axes"], parsed["attention"]["axes"]);
  EXPECT_EQ(decoder["columns"], (std::vector<std::string>{"<s>", "x\ny"}));
  EXPECT_EQ(decoder["rows"], parsed["target_units"]);
  EXPECT_EQ(decoder["weights"][0][0][1][1], 0.875);
  EXPECT_FALSE(parsed["attention"].contains("columns")) << "its columns are source_units";
  EXPECT_FALSE(parsed.contains("encoder_attention"));
}

TEST(Json, NamesTheSummary) {
  Explanation mean = two_by_two();
  mean.maps.front().head.reset();
  mean.maps.front().title = "cross-attention, layer 1, mean of 4 heads";
  EXPECT_EQ(nlohmann::json::parse(to_json(mean))["attention"]["summary"], mean.maps.front().title);
  EXPECT_FALSE(nlohmann::json::parse(to_json(two_by_two()))["attention"].contains("summary"));
}

TEST(Json, WritesNullForNan) {
  Explanation broken = two_by_two();
  broken.log_probability = kNan;
  broken.maps.front().weights[0][0] = kNan;
  const auto parsed = nlohmann::json::parse(to_json(broken));
  EXPECT_TRUE(parsed["log_probability"].is_null());
  EXPECT_TRUE(parsed["attention"]["weights"][0][0][0][0].is_null());
}

TEST(Json, HasTheContextVectorOfAModelWithoutAttention) {
  const auto parsed = nlohmann::json::parse(to_json(example_context_vector()));
  EXPECT_EQ(parsed["thought_vector"].get<std::vector<double>>(), example_context_vector().context_vector);
  EXPECT_FALSE(parsed.contains("attention"));
}

TEST(Json, EscapesText) {
  Explanation odd = two_by_two();
  for (const char* text : {"मैं\t\x01\"\\</script>", "क्\u200Dष", ""}) {
    odd.source = text;
    EXPECT_EQ(nlohmann::json::parse(to_json(odd))["source"], text);
  }
  odd.source = "\xFF";
  EXPECT_EQ(nlohmann::json::parse(to_json(odd))["source"], "\uFFFD");
}

TEST(Csv, MatchesTheGoldenText) {
  EXPECT_EQ(to_csv(two_by_two()),
            "layer,head,target_position,target,source_position,source,weight\r\n"
            "1,1,0,\"x\ny\",0,\"a,\"\"b\"\"\",0.75\r\n"
            "1,1,0,\"x\ny\",1,</s>,0.25\r\n"
            "1,1,1,</s>,0,\"a,\"\"b\"\"\",0.125\r\n"
            "1,1,1,</s>,1,</s>,0.875\r\n");
}

TEST(Csv, NamesThePlaceIfThereAreSeveral) {
  const std::string csv = to_csv(two_by_two_places());
  EXPECT_TRUE(csv.starts_with("attention,layer,head,target_position,")) << csv;
  EXPECT_NE(csv.find("\r\ncross,1,1,1,</s>,1,</s>,0.875\r\ndecoder,1,1,0,\"x\ny\",0,<s>,0.75\r\n"), std::string::npos)
      << csv;
}

TEST(Csv, LeavesLayerAndHeadOfASummaryEmpty) {
  Explanation mean = two_by_two();
  mean.maps.front().layer.reset();
  mean.maps.front().head.reset();
  EXPECT_NE(to_csv(mean).find("\r\n,,1,</s>,1,</s>,0.875\r\n"), std::string::npos) << to_csv(mean);
}

TEST(Csv, WritesAnEmptyFieldForNan) {
  Explanation broken = two_by_two();
  broken.maps.front().weights[0][0] = kNan;
  EXPECT_NE(to_csv(broken).find("\"a,\"\"b\"\"\",\r\n"), std::string::npos);
}

TEST(Csv, HasTheContextVectorOfAModelWithoutAttention) {
  EXPECT_EQ(to_csv(example_context_vector()),
            "dimension,thought_vector\r\n0,1\r\n1,-1\r\n2,0.5\r\n3,-0.25\r\n4,0\r\n5,0.75\r\n6,-0.5\r\n7,0.125\r\n");
}

TEST(Pharaoh, WritesSourceTargetPairsFromZero) { EXPECT_EQ(to_pharaoh(example_explanation()), "0-0 4-1 2-2 1-3\n"); }

TEST(Pharaoh, HasALineForEachHead) {
  Explanation two = example_explanation();
  two.maps.push_back(two.maps.front());
  std::swap(two.maps[1].weights[0], two.maps[1].weights[3]);
  EXPECT_EQ(to_pharaoh(two), "0-0 4-1 2-2 1-3\n1-0 4-1 2-2 0-3\n");
}

TEST(Pharaoh, UsesCrossAttentionOnly) {
  Explanation two = example_explanation();
  two.maps.push_back(two.maps.front());
  two.maps[1].place = AttentionPlace::kDecoder;
  EXPECT_EQ(to_pharaoh(two), to_pharaoh(example_explanation()));
  two.maps.erase(two.maps.begin());
  EXPECT_EQ(thrown<UsageError>([&] { to_pharaoh(two); }),
            "pharaoh: words are aligned by cross-attention; there is none among what was chosen");
}

TEST(Pharaoh, WritesAnEmptyLineIfThereAreNoLinks) {
  EXPECT_EQ(to_pharaoh(example_context_vector()), "\n");
  Explanation empty = example_explanation();
  empty.maps.front().rows = {"</s>"};
  empty.maps.front().weights = {{1, 0, 0, 0, 0, 0}};
  EXPECT_EQ(to_pharaoh(empty), "\n");
}

}  // namespace
}  // namespace dhyan
