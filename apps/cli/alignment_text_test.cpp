#include "cli/alignment_text.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/testing/temporary_folder.h"

namespace dhyan::cli {
namespace {

const std::vector<v1::Link> kLinks{{0, 1, 0.75}, {1, 0, 0.5}};

v1::AlignedPair two_words_each(std::vector<v1::Link> links) {
  return {.source_words = {"एक", "दो"}, .target_words = {"two", "one"}, .links = std::move(links)};
}

TEST(AlignmentText, IsPharaohsFormat) {
  EXPECT_EQ(pharaoh_links(kLinks, false), "0-1 1-0");
  EXPECT_EQ(pharaoh_links(kLinks, true), "0-1:0.75 1-0:0.5");
  EXPECT_EQ(pharaoh_links({}, true), "");
}

TEST(AlignmentText, IsJson) {
  EXPECT_EQ(json_links("एक दो", "two one", two_words_each(kLinks), 7),
            R"({"line":7,"source":"एक दो","target":"two one","source_words":["एक","दो"],)"
            R"("target_words":["two","one"],"links":[[0,1],[1,0]],"probabilities":[0.75,0.5]})");
  const auto empty = nlohmann::json::parse(json_links("", "", {}, 0));
  EXPECT_TRUE(empty["source_words"].empty());
  EXPECT_TRUE(empty["links"].empty());
}

TEST(GoldFile, MeasuresLinksLineByLine) {
  TemporaryFolder folder;
  folder.write("gold", "0-1 1-0\n0-0 1p1\n");
  GoldFile gold(folder.path("gold"));
  gold.count(two_words_each({{0, 1}}));
  gold.count(two_words_each({{0, 0}, {1, 1}}));
  // |A| 3, |S| 3, |A ∩ S| 2, |A ∩ P| 3: 1 - 5/6
  EXPECT_EQ(gold.in_words(), "AER 0.1667 (precision 1.000, recall 0.667, 3 links)\n");
  EXPECT_THROW(gold.count(two_words_each({})), DataError) << "no line is left";
}

TEST(GoldFile, RefusesLinksOfWordsThatAreNotThere) {
  TemporaryFolder folder;
  folder.write("gold", "0-2\n0-0\n");
  GoldFile gold(folder.path("gold"));
  EXPECT_THROW(gold.count(two_words_each({})), DataError);
  EXPECT_THROW(gold.in_words(), DataError) << "a line is left";
}

}  // namespace
}  // namespace dhyan::cli
