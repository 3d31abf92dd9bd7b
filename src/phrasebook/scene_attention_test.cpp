#include "phrasebook/scene_attention.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "phrasebook/picturebook.h"
#include "phrasebook/scene_regions.h"

namespace dhyan::picturebook {
namespace {

// A small circle on cells 27, 28, 35 and 36 of 64.
Scene one_circle() { return {.objects = {{.x = 32 * kPixel, .y = 32 * kPixel, .radius = 6 * kPixel}}}; }

TEST(AttentionScores, MeasureMassInsideRegionsAndHits) {
  const std::vector<ObjectSet> words{0, 1, 1, 1};  // a small red circle
  std::vector<Real> weights(4 * 64);
  weights[0] = 1;  // of the function word: passed over
  weights[64 + 27] = Real(0.5);
  weights[64 + 36] = Real(0.25);
  weights[64 + 0] = Real(0.25);
  weights[128 + 0] = 1;
  const AttentionScore score = attention_score(one_circle(), words, weights, 8, 8);  // no mass for the last word
  EXPECT_EQ(score.words, 3);
  EXPECT_EQ(score.hits, 1);
  EXPECT_DOUBLE_EQ(score.correctness(), 0.75 / 3);
  EXPECT_DOUBLE_EQ(score.baseline(), 4.0 / 64);
  EXPECT_DOUBLE_EQ(score.pointing(), 1.0 / 3);
}

TEST(AttentionScores, EqualTheBaselineForUniformWeightsAndOneForGoldWeights) {
  AttentionScore equal, gold;
  for (std::uint64_t number = 0; number < 100; ++number) {
    const Example made = example(Language::kEnglish, Part::kTest, number);
    const std::vector<ObjectSet>& words = made.caption.objects;
    equal += attention_score(made.scene, words, std::vector<Real>(words.size() * 49, Real(1) / 49), 7, 7);
    std::vector<Real> weights(words.size() * 49);
    const auto cells_of_words = word_cells(made.scene, words, 7, 7);
    for (std::size_t word = 0; word < words.size(); ++word) {
      for (const Index cell : cells_of_words[word]) weights[word * 49 + static_cast<std::size_t>(cell)] = 1;
    }
    gold += attention_score(made.scene, words, weights, 7, 7);
  }
  EXPECT_NEAR(equal.correctness(), equal.baseline(), 1e-6);
  EXPECT_LT(equal.baseline(), 0.2);
  EXPECT_DOUBLE_EQ(gold.correctness(), 1);
  EXPECT_DOUBLE_EQ(gold.pointing(), 1);
}

TEST(AttentionScores, WithoutContentWordsAreZero) {
  const AttentionScore score = attention_score(one_circle(), {}, {}, 8, 8);
  EXPECT_EQ(score.words, 0);
  EXPECT_EQ(score.correctness(), 0);
}

TEST(AttentionScores, RefuseAWrongNumberOfWeights) {
  EXPECT_EQ(thrown<ShapeError>([] { attention_score(one_circle(), {1}, std::vector<Real>(63), 8, 8); }),
            "attention_score: 63 weights for 1 words and a grid of 8 x 8");
}

}  // namespace
}  // namespace dhyan::picturebook
