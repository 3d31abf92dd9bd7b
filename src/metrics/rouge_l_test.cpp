#include "metrics/rouge_l.h"

#include <gtest/gtest.h>

namespace dhyan {
namespace {

double rouge(std::string_view hypothesis, const std::vector<std::string>& references) {
  const RougeL metric;
  return metric.score(metric.counts(hypothesis, references));
}

TEST(RougeL, IsAnFScoreOfTheLongestCommonSubsequence) {
  // LCS "a c e": P = 3/4, R = 3/5
  EXPECT_NEAR(rouge("a x c e", {"a b c d e"}), 100 * 2.44 * 0.75 * 0.6 / (0.6 + 1.44 * 0.75), 1e-9);
  EXPECT_NEAR(rouge("A dog .", {"a dog"}), 100, 1e-9);
  EXPECT_EQ(rouge("a", {"b"}), 0);
}

TEST(RougeL, TakesTheBestPrecisionAndTheBestRecallOfAllReferences) {
  // P = 2/2 by the first reference, R = 1/1 by the second
  EXPECT_NEAR(rouge("a b", {"a b c d", "a"}), 100, 1e-9);
}

TEST(RougeL, MatchesAnEmptyCaptionWithAnEmptyReferenceOnly) {
  EXPECT_NEAR(rouge("", {""}), 100, 1e-9);
  EXPECT_EQ(rouge("", {"a b"}), 0);
  EXPECT_EQ(rouge("a b", {"..."}), 0);
}

TEST(RougeL, IsTheMeanOverCaptions) {
  const RougeL metric;
  const std::vector<std::string> hypotheses{"a", "b"};
  const std::vector<std::vector<std::string>> references{{"a"}, {"x"}};
  EXPECT_NEAR(metric.score(sum_of(sentence_counts(metric, {hypotheses, references}))), 50, 1e-9);
  EXPECT_EQ(metric.settings(), "case:lc|tok:ptb|beta:1.2");
}

}  // namespace
}  // namespace dhyan
