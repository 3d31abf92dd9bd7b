#include "runs/training_log.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/temporary_folder.h"

namespace dhyan {
namespace {

const std::vector<NamedScore> kMetrics{{"loss", 1.25}, {"perplexity", 3.490343}};

TEST(TrainingLog, HasALineForEachEvent) {
  const IntervalEvent interval{.at = {.step = 1200, .epochs = 3.416, .done = 0.5, .seconds = 61.5},
                               .loss = 2,
                               .perplexity = 7.389,
                               .learning_rate = 0.0005,
                               .gradient_norm = 0.25,
                               .update_ratio = 0.0012345,
                               .tokens_per_second = 12345.6,
                               .skipped = 0};
  EXPECT_EQ(to_text(interval),
            "step 1200   epoch 3.42   loss 2.0000  perplexity 7.39  rate 0.0005  gradient 0.25  update 0.0012  "
            "12346 tokens/s");
  EXPECT_EQ(
      to_json(interval),
      R"({"event":"interval","step":1200,"epochs":3.416,"seconds":61.5,"loss":2.0,"perplexity":7.389,)"
      R"("learning_rate":0.0005,"gradient_norm":0.25,"update_ratio":0.0012345,"tokens_per_second":12345.6,"skipped":0})");
  const ValidationEvent validation{.at = interval.at, .metrics = kMetrics, .best = true};
  EXPECT_EQ(to_text(validation), "step 1200   epoch 3.42   held-out: loss 1.2500  perplexity 3.49  (best so far)");
  EXPECT_EQ(to_json(validation), R"({"event":"validation","step":1200,"epochs":3.416,"seconds":61.5,"loss":1.25,)"
                                 R"("perplexity":3.490343,"best":true})");
  const AverageEvent average{.checkpoints = 3, .metrics = kMetrics, .taken = false};
  EXPECT_EQ(to_text(average), "mean of 3 checkpoints: held-out: loss 1.2500  perplexity 3.49  (no better, not taken)");
  EXPECT_EQ(to_json(average), R"({"event":"average","checkpoints":3,"loss":1.25,"perplexity":3.490343,"taken":false})");
}

TEST(TrainingLog, HasALineForEachSample) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "training");
  const std::vector<SampleTranslation> samples{
      {{"एक", "</s>"}, {"one", "</s>"}, "one", {{0.9, 0.1}, {0.123456, 0.876544}}}};
  TrainingLog(folder.path(), TrainingLog::Begin::kAnew)
      .on_validation({.at = {.step = 7}, .metrics = kMetrics, .best = true, .samples = samples});
  EXPECT_EQ(folder.read("training/samples.jsonl"),
            "{\"event\":\"sample\",\"step\":7,\"epochs\":0.0,\"seconds\":0.0,\"source\":[\"एक\",\"</s>\"],"
            "\"translation\":[\"one\",\"</s>\"],\"reference\":\"one\",\"weights\":[[0.9,0.1],[0.1235,0.8765]]}\n");
}

TEST(TrainingLog, ReportsTheNumberOfSkippedSteps) {
  IntervalEvent interval;
  interval.skipped = 3;
  EXPECT_TRUE(to_text(interval).ends_with("steps skipped so far, not finite: 3"));
}

TEST(TrainingLog, StartsNewFilesOrAppends) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "training");
  for (const auto begin : {TrainingLog::Begin::kAnew, TrainingLog::Begin::kAfterWhatIsThere}) {
    TrainingLog(folder.path(), begin).note("a");
  }
  EXPECT_EQ(folder.read("train.log"), "a\na\n");
  TrainingLog(folder.path(), TrainingLog::Begin::kAnew).note("b");
  EXPECT_EQ(folder.read("train.log"), "b\n");
  EXPECT_THROW(TrainingLog(folder.path() / "none", TrainingLog::Begin::kAnew), WriteError);
}

}  // namespace
}  // namespace dhyan
