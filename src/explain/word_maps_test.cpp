#include "explain/word_maps.h"

#include <gtest/gtest.h>
#include <numeric>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "explain/testing/example_records.h"
#include "text/testing/trained_on.h"
#include "text/word_tokenizer.h"

namespace dhyan {
namespace {

constexpr GridShape kTwoByThree{2, 3};

// "a dog runs" by a Transformer of two layers of two heads that attends to a grid of 2 x 3 cells.
class WordMaps : public testing::Test {
 protected:
  WordMaps() {
    caption_.tokens = tokenizers_.target->encode("a dog runs").ids;
    caption_.tokens.push_back(kEnd);
    caption_.attention = example_records({.source = 6, .target = 4});
  }

  std::vector<WordMap> maps(const AttentionChoice& choice) const {
    return word_maps(caption_, *tokenizers_.target, kTwoByThree, {.attention = choice});
  }

  const TokenizerPair tokenizers_ = pair_trained_on<WordTokenizer>("x", "a dog runs");
  Hypothesis caption_;
};

TEST_F(WordMaps, HaveAWeightForEachCellAndNoEndOfSentence) {
  const std::vector<WordMap> mean = maps({.summary = Summary::kMean});
  ASSERT_EQ(mean.size(), 3u);
  EXPECT_EQ(mean[1].word, "dog");
  for (const WordMap& map : mean) {
    ASSERT_EQ(map.weights.size(), 6u);
    EXPECT_NEAR(std::accumulate(map.weights.begin(), map.weights.end(), 0.0), 1, 1e-5);
  }
  double sum = 0;
  for (std::size_t i = 0; i < 4; ++i) sum += caption_.attention[i].weights[1][5];
  EXPECT_NEAR(mean[1].weights[5], sum / 4, 1e-6) << "cross-attention comes first in the records";
}

TEST_F(WordMaps, AreThoseOfTheChosenHead) {
  const std::vector<WordMap> chosen = maps({.layer = 2, .head = 1});
  ASSERT_EQ(chosen.size(), 3u);
  for (std::size_t cell = 0; cell < 6; ++cell) {
    EXPECT_EQ(chosen[2].weights[cell], double{caption_.attention[2].weights[2][cell]});
  }
}

TEST_F(WordMaps, FollowAttentionThroughTheLayers) {
  for (const WordMap& map : maps({.summary = Summary::kRollout})) EXPECT_EQ(map.weights.size(), 6u);
}

TEST_F(WordMaps, AreAllWordsOfACaptionThatWasCut) {
  caption_.tokens.pop_back();
  for (AttentionRecord& record : caption_.attention) {
    if (record.place == AttentionPlace::kCross) record.weights.pop_back();
  }
  EXPECT_EQ(maps({.summary = Summary::kMean}).size(), 3u);
}

TEST_F(WordMaps, AreNoneWithoutAttention) {
  caption_.attention.clear();
  EXPECT_TRUE(maps({.summary = Summary::kMean}).empty());
}

TEST_F(WordMaps, RefuseMapsThatAreNotOverThePicture) {
  EXPECT_EQ(thrown<UsageError>([&] { maps({.layer = 1}); }),
            "attention: a word has one map over a picture, and 2 are chosen; choose one --layer and --head, or a "
            "--summary");
  EXPECT_EQ(thrown<UsageError>([&] { maps({.places = {AttentionPlace::kEncoder}, .summary = Summary::kMean}); }),
            "attention: over a picture only cross-attention can be shown");
}

TEST(GridUnits, AreCellsRowByRow) {
  const TokenUnits units = grid_units(kTwoByThree);
  EXPECT_EQ(units.labels, (std::vector<std::string>{"1,1", "1,2", "1,3", "2,1", "2,2", "2,3"}));
  EXPECT_EQ(units.unit_of, (std::vector<std::size_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_FALSE(units.ended);
}

}  // namespace
}  // namespace dhyan
