#include "metrics/cider_d.h"

#include <cmath>
#include <gtest/gtest.h>

namespace dhyan {
namespace {

using References = std::vector<std::vector<std::string>>;

std::vector<double> ciders(const std::vector<std::string>& hypotheses, const References& references) {
  const CiderD metric;
  std::vector<double> scores;
  for (const Counts& counts : sentence_counts(metric, {hypotheses, references})) scores.push_back(metric.score(counts));
  return scores;
}

TEST(CiderD, Is1000IfACaptionEqualsItsOnlyReference) {
  const std::vector<double> scores = ciders({"A dog runs fast.", "nothing"}, {{"a dog runs fast"}, {"two cats sleep"}});
  EXPECT_NEAR(scores[0], 1000, 1e-9);
  EXPECT_EQ(scores[1], 0);
}

TEST(CiderD, IgnoresWordsThatEveryPictureHas) {
  const std::vector<double> scores = ciders({"a dog", "a"}, {{"a dog"}, {"a cat"}});
  EXPECT_NEAR(scores[0], 500, 1e-9) << "unigrams and bigrams match; there are no longer ones";
  EXPECT_EQ(scores[1], 0);
}

TEST(CiderD, PenalisesADifferenceInLengthAndRepetitions) {
  // Unigrams: min(3, 1) * 1 / (3 * 1) for "dog"; two words more
  const std::vector<double> scores = ciders({"dog dog dog", "x"}, {{"dog"}, {"cat"}});
  EXPECT_NEAR(scores[0], 1000.0 / 4 / 3 * std::exp(-4.0 / 72), 1e-9);
}

TEST(CiderD, IsTheMeanOverReferences) {
  const std::vector<double> scores = ciders({"a dog runs fast", "x"}, {{"a dog runs fast", "my pet"}, {"two cats"}});
  EXPECT_NEAR(scores[0], 500, 1e-9);
}

TEST(CiderD, DoesNotDependOnTheOrderOfPicturesOrReferences) {
  const std::vector<double> one =
      ciders({"a dog runs", "two cats", ""}, {{"the dog runs", "a dog"}, {"two black cats"}, {"a bird", "one bird"}});
  const std::vector<double> other =
      ciders({"", "two cats", "a dog runs"}, {{"one bird", "a bird"}, {"two black cats"}, {"a dog", "the dog runs"}});
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(one[i], other[2 - i], 1e-9) << i;
  EXPECT_GT(one[0], 0);
}

TEST(CiderD, IsZeroForASinglePictureOrAnEmptyCaption) {
  EXPECT_EQ(ciders({"a dog"}, {{"a dog"}}).front(), 0);
  EXPECT_EQ(ciders({"", ""}, {{"a dog"}, {""}}), (std::vector<double>{0, 0}));
  const CiderD metric;
  const std::vector<std::string> references{"a dog"};
  EXPECT_EQ(metric.score(metric.counts("a dog", references)), 0);
  EXPECT_EQ(metric.settings(), "case:lc|tok:ptb|n:4|sigma:6");
}

}  // namespace
}  // namespace dhyan
