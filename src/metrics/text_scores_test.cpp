#include "metrics/text_scores.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace dhyan {
namespace {

TEST(TextScores, HaveEveryRequestedMetricAndBucketsByTheFirst) {
  const std::vector<std::string> hypotheses{"the cat sat on the mat", "no"};
  const std::vector<std::vector<std::string>> references{{"the cat sat on the mat"}, {"yes"}};
  const std::vector<Index> lengths{6, 1};
  const TextScores scores =
      score_text({hypotheses, references}, lengths, {.metrics = {"chrf", "bleu"}, .length_bounds = {5}});
  ASSERT_EQ(scores.scores.size(), 2u);
  EXPECT_EQ(scores.scores[0].name, "chrF2");
  EXPECT_EQ(scores.scores[1].name, "BLEU");
  EXPECT_NE(scores.scores[1].details, "");
  EXPECT_TRUE(scores.scores[1].signature.starts_with("nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:dhyan-"));
  ASSERT_EQ(scores.by_length.size(), 2u);
  EXPECT_EQ(scores.by_length[0].score, 0) << "no character of 'no' is right";
  EXPECT_NEAR(scores.by_length[1].score, 100, 1e-9);
}

TEST(TextScores, HaveAConfidenceIntervalOnRequest) {
  const std::vector<std::string> hypotheses{"the cat sat on the mat", "no"};
  const std::vector<std::vector<std::string>> references{{"the cat sat on the mat"}, {"yes"}};
  const std::vector<Index> lengths{6, 1};
  const ScoringOptions options{.metrics = {"ter"}, .confidence = BootstrapOptions{.samples = 100, .seed = 2}};
  const TextScore score = score_text({hypotheses, references}, lengths, options).scores.front();
  ASSERT_TRUE(score.confidence);
  EXPECT_GT(score.confidence->interval, 0);
  EXPECT_TRUE(score.signature.starts_with("nrefs:1|bs:100|seed:2|case:lc|tok:tercom")) << score.signature;
  EXPECT_FALSE(score_text({hypotheses, references}, lengths, {}).scores.front().confidence);
}

TEST(TextScores, NeedAMetricAndASentence) {
  EXPECT_THROW(score_text({}, {}, {}), UsageError);
  EXPECT_THROW(score_text({}, {}, {.metrics = {}}), UsageError);
}

TEST(TextScores, StopWhenThePollThrows) {
  struct ScoringEnded {};
  const std::vector<std::string> hypotheses{"a", "b", "c"};
  const std::vector<std::vector<std::string>> references{{"a"}, {"b"}, {"x"}};
  const std::vector<Index> lengths{1, 1, 1};
  int polls = 0, last = 0;
  ScoringOptions options{.metrics = {"chrf"}, .confidence = BootstrapOptions{.samples = 4}};
  options.poll = [&] {
    if (++polls == last) throw ScoringEnded();
  };
  score_text({hypotheses, references}, lengths, options);
  EXPECT_EQ(polls, 3 + 4);
  for (last = 1; last <= 7; ++last) {
    polls = 0;
    EXPECT_THROW(score_text({hypotheses, references}, lengths, options), ScoringEnded);
  }
}

}  // namespace
}  // namespace dhyan
