#include "metrics/bootstrap.h"

#include <gtest/gtest.h>
#include <map>
#include <numeric>

#include "core/error.h"
#include "metrics/bleu.h"

namespace dhyan {
namespace {

// The mean of one number per sentence, so that the scores of samples are known.
class MeanOfCounts final : public Metric {
 public:
  std::string name() const override { return "mean"; }
  std::string settings() const override { return ""; }
  Counts counts(std::string_view hypothesis, std::span<const std::string>) const override {
    return {std::stod(std::string(hypothesis)), 1};
  }
  double score(const Counts& sums) const override { return sums[0] / sums[1]; }
};

// Sentences with scores 0, 3 and 6 have 27 samples; 1, 3, 6, 7, 6, 3 and 1 of them have the sums 0, 3, ..., 18.
TEST(Bootstrap, DrawsSamplesUniformly) {
  const std::vector<Counts> sentences{{0, 1}, {3, 1}, {6, 1}};
  constexpr Index kSamples = 27000;
  std::map<double, Index> found;
  for (const double score : Bootstrap({.samples = kSamples, .seed = 5}).scores(MeanOfCounts(), sentences))
    ++found[score];
  const std::vector<Index> expected{1, 3, 6, 7, 6, 3, 1};
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double share = static_cast<double>(found[static_cast<double>(i)]) / kSamples;
    EXPECT_NEAR(share, static_cast<double>(expected[i]) / 27, 0.01) << i;
  }
}

TEST(Bootstrap, DrawsTheSameSamplesForEverySystem) {
  const std::vector<Counts> sentences{{1, 1}, {2, 1}, {3, 1}, {5, 1}}, doubled{{2, 1}, {4, 1}, {6, 1}, {10, 1}};
  const Bootstrap bootstrap({.samples = 50, .seed = 7});
  const std::vector<double> scores = bootstrap.scores(MeanOfCounts(), sentences);
  EXPECT_EQ(scores, Bootstrap({.samples = 50, .seed = 7}).scores(MeanOfCounts(), sentences));
  EXPECT_NE(scores, Bootstrap({.samples = 50, .seed = 8}).scores(MeanOfCounts(), sentences));
  const std::vector<double> twice = bootstrap.scores(MeanOfCounts(), doubled);
  for (std::size_t i = 0; i < scores.size(); ++i) EXPECT_DOUBLE_EQ(twice[i], 2 * scores[i]);
  EXPECT_EQ(bootstrap.settings(), "bs:50|seed:7");
}

TEST(Bootstrap, EqualsTheScoreForASingleSentence) {
  const Bleu bleu;
  const std::vector<Counts> sentences{bleu.counts("a b c d x", std::vector<std::string>{"a b c d e"})};
  for (const double score : Bootstrap({.samples = 3}).scores(bleu, sentences)) {
    EXPECT_DOUBLE_EQ(score, bleu.score(sentences.front()));
  }
}

TEST(Confidence, LeavesOutAFortiethOnEachSide) {
  std::vector<double> scores(80);
  std::iota(scores.rbegin(), scores.rend(), 0.0);
  const Confidence found = confidence(scores);
  EXPECT_DOUBLE_EQ(found.mean, 39.5);
  EXPECT_DOUBLE_EQ(found.interval, (77.0 - 2.0) / 2);
  EXPECT_DOUBLE_EQ(confidence({1, 3}).interval, 1);
}

TEST(PairedPValue, CountsSamplesThatExceedTheObservedDifference) {
  const std::vector<double> baseline{10, 10, 10, 10}, system{11, 12, 13, 18};
  // Differences 1, 2, 3, 8 minus their mean 3.5: only 4.5 exceeds 3, none exceeds 4.5.
  EXPECT_DOUBLE_EQ(paired_p_value(baseline, system, 3), 2.0 / 5);
  EXPECT_DOUBLE_EQ(paired_p_value(baseline, system, -3), 2.0 / 5) << "it has two sides";
  EXPECT_DOUBLE_EQ(paired_p_value(baseline, system, 4.5), 1.0 / 5);
  EXPECT_DOUBLE_EQ(paired_p_value(baseline, baseline, 0), 1) << "equal systems do not differ";
}

TEST(Bootstrap, RefusesTooFewSamplesOrSentences) {
  EXPECT_THROW(Bootstrap({.samples = 1}), ConfigError);
  EXPECT_THROW(Bootstrap().scores(Bleu(), {}), UsageError);
  EXPECT_THROW(confidence({}), UsageError);
  EXPECT_THROW(paired_p_value(std::vector<double>{1}, {}, 1), UsageError);
}

}  // namespace
}  // namespace dhyan
