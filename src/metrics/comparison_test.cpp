#include "metrics/comparison.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace dhyan {
namespace {

class ComparisonTest : public testing::Test {
 protected:
  std::vector<std::vector<std::string>> references_{
      {"the cat sat on the mat"}, {"I am eating food"}, {"you are drinking water"}, {"yes"}};
  std::vector<Index> lengths_{6, 4, 4, 1};
  SystemText right_{"right", {"the cat sat on the mat", "I am eating food", "you are drinking water", "yes"}};
  SystemText worse_{"worse", {"the cat sat on a mat", "I am eating food", "me drinks", "yes"}};
};

TEST_F(ComparisonTest, ScoresEachSystemAndTestsItAgainstTheFirst) {
  const std::vector<SystemText> systems{right_, worse_, right_};
  const ComparisonOptions options{.scoring = {.metrics = {"bleu", "ter"}}, .bootstrap = {.samples = 200, .seed = 3}};
  const Comparison comparison = compare_texts(systems, references_, lengths_, options);
  ASSERT_EQ(comparison.metrics.size(), 2u);
  EXPECT_TRUE(comparison.metrics[1].lower_is_better);
  for (std::size_t m = 0; m < 2; ++m) {
    const ComparedMetric& metric = comparison.metrics[m];
    EXPECT_TRUE(metric.signature.starts_with("nrefs:1|bs:200|seed:3|")) << metric.signature;
    ASSERT_EQ(metric.systems.size(), 3u);
    EXPECT_FALSE(metric.systems[0].p_value);
    const TextScores alone = score_text({worse_.hypotheses, references_}, lengths_, options.scoring);
    EXPECT_DOUBLE_EQ(metric.systems[1].score, alone.scores[m].score);
    EXPECT_GT(metric.systems[1].confidence.interval, 0);
    EXPECT_EQ(*metric.systems[2].p_value, 1) << "no difference";
    EXPECT_EQ(metric.systems[2].score, metric.systems[0].score);
  }
}

TEST_F(ComparisonTest, NamesTheSentencesThatDifferMostFirst) {
  const std::vector<SystemText> systems{right_, worse_};
  const Comparison comparison =
      compare_texts(systems, references_, lengths_, {.scoring = {.metrics = {"bleu"}}, .bootstrap = {.samples = 2}});
  ASSERT_EQ(comparison.differing.size(), 2u) << "two are the same";
  EXPECT_EQ(comparison.differing[0].number, 2u);
  EXPECT_EQ(comparison.differing[1].number, 0u);
  EXPECT_NEAR(comparison.differing[0].scores[0], 100, 1e-9);
  EXPECT_EQ(
      compare_texts(systems, references_, lengths_, {.bootstrap = {.samples = 2}, .sentences = 1}).differing.size(),
      1u);
}

TEST_F(ComparisonTest, HasTheSameBucketsForEverySystem) {
  const Comparison comparison =
      compare_texts(std::vector{worse_, right_}, references_, lengths_,
                    {.scoring = {.metrics = {"chrf"}, .length_bounds = {3, 5}}, .bootstrap = {.samples = 2}});
  ASSERT_EQ(comparison.by_length.size(), 2u);
  ASSERT_EQ(comparison.by_length[0].size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(comparison.by_length[0][i].sentences, comparison.by_length[1][i].sentences);
    EXPECT_NEAR(comparison.by_length[1][i].score, 100, 1e-9);
  }
  EXPECT_LT(comparison.by_length[0][1].score, 90);
}

TEST_F(ComparisonTest, NeedsTwoSystemsWithEverySentence) {
  EXPECT_THROW(compare_texts(std::vector{right_}, references_, lengths_, {}), UsageError);
  SystemText shorter = worse_;
  shorter.hypotheses.pop_back();
  EXPECT_THROW(compare_texts(std::vector{right_, shorter}, references_, lengths_, {}), UsageError);
  EXPECT_THROW(compare_texts(std::vector{right_, worse_}, references_, lengths_, {.scoring = {.metrics = {}}}),
               UsageError);
}

}  // namespace
}  // namespace dhyan
