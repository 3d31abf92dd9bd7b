#include "runs/training_history.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/temporary_folder.h"
#include "core/testing/thrown.h"
#include "runs/training_log.h"

namespace dhyan {
namespace {

std::string history_error(const std::string& text) {
  return thrown<DataError>([&] { parse_history(text, "train.jsonl"); });
}

std::string samples_error(const std::string& text) {
  return thrown<DataError>([&] { parse_samples(text, "samples.jsonl"); });
}

TEST(TrainingHistory, IsReadFromTheLogOfTraining) {
  const std::vector<NamedScore> first{{"loss", 3}, {"BLEU", 5}}, second{{"loss", 2.5}, {"BLEU", 9}};
  std::string text;
  for (const std::string& line :
       {to_json(IntervalEvent{.at = {.step = 50, .seconds = 2}, .loss = 4, .learning_rate = 0.01}),
        to_json(ValidationEvent{.at = {.step = 60, .seconds = 3}, .metrics = first, .best = true}),
        to_json(IntervalEvent{.at = {.step = 100, .seconds = 4}, .loss = 3}),
        to_json(ValidationEvent{.at = {.step = 120, .seconds = 5}, .metrics = second, .best = true}),
        to_json(AverageEvent{.checkpoints = 2, .metrics = second})}) {
    text += line + '\n';
  }
  const TrainingHistory history = parse_history(text, "train.jsonl");
  EXPECT_EQ(history.steps, 120);
  EXPECT_EQ(history.best_step, 120);
  EXPECT_EQ(history.seconds, 5);
  ASSERT_FALSE(history.training.empty());
  EXPECT_EQ(history.training.front().name, "loss");
  ASSERT_EQ(history.training.front().values.size(), 2u);
  EXPECT_EQ(history.training.front().values[1].step, 100);
  EXPECT_EQ(history.training.front().values[1].value, 3);
  ASSERT_EQ(history.validation.size(), 2u);
  EXPECT_EQ(history.validation[1].name, "BLEU");
  EXPECT_EQ(history.validation[1].values[1].value, 9);
}

TEST(TrainingHistory, KeepsTheAverageUntilACheckpointIsBetter) {
  const std::vector<NamedScore> metrics{{"loss", 2}};
  const std::string taken = to_json(AverageEvent{.checkpoints = 2, .metrics = metrics, .taken = true}) + '\n';
  const std::string better = to_json(ValidationEvent{.at = {.step = 9}, .metrics = metrics, .best = true}) + '\n';
  const TrainingHistory history = parse_history(taken, "train.jsonl");
  EXPECT_EQ(history.mean_of, 2);
  EXPECT_EQ(history.mean, metrics);
  EXPECT_EQ(parse_history(taken + better, "train.jsonl").mean_of, 0);
  EXPECT_EQ(history_error("{\"event\":\"average\",\"taken\":true}\n"),
            "train.jsonl:1: expected 'checkpoints', a number from 0 on");
}

TEST(TrainingHistory, TakesTheLastValueOfARepeatedStep) {
  const auto interval = [](Index step, double loss) {
    return to_json(IntervalEvent{.at = {.step = step}, .loss = loss}) + '\n';
  };
  const std::string text =
      interval(10, 4) + interval(20, 3) + interval(30, 2) + interval(20, 3.5) + "{\"event\":\"inte";
  const TrainingHistory history = parse_history(text, "train.jsonl");
  ASSERT_EQ(history.training.front().values.size(), 2u) << "what was being written when it was killed is left out";
  EXPECT_EQ(history.training.front().values[1].value, 3.5);
}

TEST(TrainingHistory, NamesTheMalformedLine) {
  EXPECT_EQ(history_error("{\"event\":\"interval\",\"step\":1}\nnonsense\n"), "train.jsonl:2: expected a JSON object");
  EXPECT_EQ(history_error("{\"event\":\"interval\",\"step\":-1}\n"),
            "train.jsonl:1: expected 'step', a number from 0 on");
  EXPECT_EQ(history_error("{\"event\":\"interval\",\"step\":18446744073709551615}\n"),
            "train.jsonl:1: step is 18446744073709551615, expected at most 1125899906842624");
  EXPECT_EQ(history_error(std::string((4 << 20) + 1, ' ') + "\n"),
            "train.jsonl:1: a line of 4194305 bytes, expected at most 4194304");
  EXPECT_TRUE(parse_history("{\"event\":7}\n{}\n", "train.jsonl").training.empty());
}

TEST(AttentionSamples, AreReadWithTheirSharpness) {
  const std::vector<AttentionSample> samples = parse_samples(
      "{\"step\":10,\"source\":[\"a\",\"b\"],\"translation\":[\"x\"],\"reference\":\"y\",\"weights\":[[0.25,0.75]]}\n"
      "{\"step\":10,\"source\":[\"a\"],\"translation\":[]}\n",
      "samples.jsonl");
  ASSERT_EQ(samples.size(), 2u);
  EXPECT_EQ(samples[0].reference, "y");
  EXPECT_EQ(sharpness_of(samples[0]), 0.75);
  EXPECT_EQ(sharpness_of(samples[1]), 0);
}

TEST(AttentionSamples, NameTheMalformedLine) {
  EXPECT_EQ(samples_error("{\"step\":1,\"source\":\"a\"}\n"), "samples.jsonl:1: expected 'source', a list of tokens");
  EXPECT_EQ(samples_error("{\"step\":1,\"source\":[1],\"translation\":[]}\n"),
            "samples.jsonl:1: 'source' has number, expected tokens");
  EXPECT_EQ(samples_error("{\"step\":1,\"source\":[\"a\"],\"translation\":[\"b\"],\"weights\":[[1],[1]]}\n"),
            "samples.jsonl:1: 'weights' has 2 rows for 1 tokens");
  EXPECT_EQ(samples_error("{\"step\":1,\"source\":[\"a\"],\"translation\":[\"b\"],\"weights\":[[1,2]]}\n"),
            "samples.jsonl:1: expected rows of 'weights' of 1 numbers, one for each source token");
}

TEST(TrainingHistory, NeedsTheLogOfAFolderButNoSamples) {
  const TemporaryFolder folder;
  EXPECT_EQ(thrown<DataError>([&] { read_history(folder.path()); }),
            folder.path("train.jsonl") + ": cannot be read: No such file or directory");
  EXPECT_TRUE(read_samples(folder.path()).empty());
  folder.write("train.jsonl", "");
  EXPECT_EQ(read_history(folder.path()).steps, 0);
}

}  // namespace
}  // namespace dhyan
