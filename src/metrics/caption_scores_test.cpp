#include "metrics/caption_scores.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "core/error.h"
#include "metrics/bleu.h"

namespace dhyan {
namespace {

using References = std::vector<std::vector<std::string>>;

TEST(CaptionScores, AreBestForTheOnlyReference) {
  const std::vector<std::string> captions{"A dog runs on the beach.", "Two cats sleep on a sofa."};
  const References references{{captions[0]}, {captions[1]}};
  const CaptionScores scores = caption_scores({captions, references});
  for (const double bleu : scores.coco_bleu) EXPECT_NEAR(bleu, 100, 1e-6);
  EXPECT_NEAR(scores.rouge_l, 100, 1e-9);
  EXPECT_NEAR(scores.cider_d, 1000, 1e-9);
  EXPECT_NEAR(scores.sacrebleu, 100, 1e-9);
}

TEST(CaptionScores, DoNotDependOnTheOrderOfPictures) {
  std::vector<std::string> captions{"a dog runs", "two cats", "", "a bird in the sky"};
  References references{{"the dog runs", "a dog"}, {"two black cats"}, {"a ball"}, {"the bird in the blue sky", "x"}};
  const CaptionScores one = caption_scores({captions, references});
  std::ranges::reverse(captions);
  std::ranges::reverse(references);
  const CaptionScores other = caption_scores({captions, references});
  for (std::size_t n = 0; n < 4; ++n) EXPECT_NEAR(one.coco_bleu[n], other.coco_bleu[n], 1e-9);
  EXPECT_NEAR(one.rouge_l, other.rouge_l, 1e-9);
  EXPECT_NEAR(one.cider_d, other.cider_d, 1e-9);
  EXPECT_NEAR(one.sacrebleu, other.sacrebleu, 1e-9);
}

TEST(CaptionScores, IncludeSacreBleuAndCocoBleu) {
  const std::vector<std::string> captions{"The dog runs on the sand."};
  const References references{{"the dog runs on the beach .", "A dog runs."}};
  const CaptionScores scores = caption_scores({captions, references});
  const Bleu bleu;
  EXPECT_EQ(scores.sacrebleu, bleu.score(bleu.counts(captions[0], references[0])));
  EXPECT_GT(std::abs(scores.sacrebleu - scores.coco_bleu[3]), 1);
}

TEST(CaptionScores, NeedACaptionAndReferences) {
  EXPECT_THROW(caption_scores({}), UsageError);
  const std::vector<std::string> captions{"a"};
  EXPECT_THROW(caption_scores({captions, References{{}}}), UsageError);
}

TEST(WordVariety, CountsWordsAndTheirShareOfTheReferenceVocabulary) {
  const std::vector<std::string> captions{"A dog runs.", "a dog sleeps"};
  const References references{{"the dog runs", "A dog!"}, {"one cat"}};
  const WordVariety variety = word_variety({captions, references});
  EXPECT_EQ(variety.words, 6);
  EXPECT_EQ(variety.distinct, 4);
  EXPECT_NEAR(variety.vocabulary_share, 100 * 3.0 / 6, 1e-9) << "a, dog and runs of the, dog, runs, a, one and cat";
  const std::vector<std::string> empty{""};
  EXPECT_EQ(word_variety({empty, References{{"."}}}).vocabulary_share, 0);
}

}  // namespace
}  // namespace dhyan
