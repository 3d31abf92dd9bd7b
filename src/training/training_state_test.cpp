#include "training/training_state.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "interop/safetensors.h"
#include "training/testing/exercise.h"

namespace dhyan {
namespace {

TEST(ResumedTraining, StoppedAndResumedEqualsNeverStopped) {
  for (const char* schedule : {"plateau", "epoch-decay"}) {
    TrainingOptions options = small_options();
    options.schedule = schedule;
    options.loss = {.label_smoothing = 0.1, .sampled = 0.2};
    options.schedule_settings.decay_after = 1;
    Exercise straight(options);
    straight.train();
    const Index last = straight.state.step;
    for (const Index stop : {Index{1}, last / 3, last / 2 + 1, last - 1}) {
      Exercise stopped(options);
      EXPECT_EQ(stopped.train(stop), Ended::kOnRequest);
      EXPECT_EQ(stopped.state.step, stop);
      Exercise resumed(options);  // another process: only the folder is the same
      std::filesystem::copy(
          stopped.folder.path(), resumed.folder.path(),
          std::filesystem::copy_options::recursive | std::filesystem::copy_options::overwrite_existing);
      EXPECT_EQ(resumed.train(), Ended::kEpochs);
      EXPECT_EQ(resumed.weights(), straight.weights()) << schedule << " stopped after " << stop;
      EXPECT_EQ(resumed.state.kept.best, straight.state.kept.best);
      EXPECT_EQ(resumed.state.position, straight.state.position);
      EXPECT_EQ(stopped.recorder.intervals.size() + resumed.recorder.intervals.size(),
                straight.recorder.intervals.size());
      EXPECT_EQ(resumed.recorder.intervals.back().loss, straight.recorder.intervals.back().loss);
    }
  }
}

TEST(ResumedTraining, KeepsTheMovingAverageAndResumesIt) {
  TrainingOptions options = small_options();
  options.ema = 0.9;
  options.average = 0;
  Exercise straight(options), stopped(options);
  straight.train();
  options.ema = 0;
  Exercise plain(options);
  plain.train();
  EXPECT_NE(straight.weights(), plain.weights());
  EXPECT_NE(straight.recorder.losses, plain.recorder.losses) << "the average is what is validated";
  EXPECT_EQ(straight.validate().metrics.front().value, straight.state.kept.best.front().score) << "and what is kept";
  const Index last = straight.state.step;
  stopped.train(last / 2);
  stopped.train();
  EXPECT_EQ(stopped.weights(), straight.weights());
  EXPECT_EQ(straight.recorder.intervals.back().loss, plain.recorder.intervals.back().loss)
      << "training itself does not see it";
}

TEST(ResumedTraining, RefusesTheStateOfAnotherTraining) {
  Exercise run(small_options());
  run.train(3);
  const auto resumed_by = [&](Exercise& other) {
    std::filesystem::create_directories(other.folder.path() / "training");
    other.folder.write("training/state.safetensors", run.folder.read("training/state.safetensors"));
    other.trainer().resume();
  };
  Exercise other_data(small_options(), 2, 7);
  EXPECT_THROW(resumed_by(other_data), ConfigError);

  TrainingOptions options = small_options();
  options.optimizer = "adadelta";
  Exercise other_optimizer(options);
  EXPECT_THROW(resumed_by(other_optimizer), ModelFileError);
}

TEST(ResumedTraining, CanBeResumedFromBeforeTheFirstStep) {
  Exercise killed(small_options()), straight(small_options());
  EXPECT_THROW(killed.train_or_die(0), std::runtime_error);
  EXPECT_TRUE(Trainer::can_resume(killed.folder.path()));
  killed.train();
  straight.train();
  EXPECT_EQ(killed.weights(), straight.weights());
}

// Fails to save, as on a full disk: a file cannot replace a folder.
TEST(ResumedTraining, LeavesNoWeightsIfTheFirstStateCannotBeSaved) {
  Exercise run(small_options());
  std::filesystem::create_directories(state_file(run.folder.path()) / "in the way");
  EXPECT_THROW(run.trainer().run(run.recorder, [] { return false; }), Error);
  EXPECT_FALSE(std::filesystem::exists(model_file(run.folder.path())));
}

TEST(ResumedTraining, SavesAtAnIntervalOfStepsAndResumesFromThere) {
  TrainingOptions options = small_options();
  options.save_steps = 3;
  options.keep_last = 2;
  Exercise killed(options), straight(options);
  EXPECT_THROW(killed.train_or_die(7), std::runtime_error);
  EXPECT_EQ(read_training_state(state_file(killed.folder.path())).step, 6);
  killed.train();
  straight.train();
  EXPECT_EQ(killed.weights(), straight.weights());
  EXPECT_EQ(killed.state.kept, straight.state.kept);
  ASSERT_EQ(straight.state.kept.last.size(), 2u);
  for (const auto& file : files_of_last(straight.folder.path(), straight.state.kept)) {
    EXPECT_TRUE(std::filesystem::exists(file)) << file;
  }
}

TEST(ResumedTraining, TruncatesLogsToTheirLengthAtTheSave) {
  Exercise run(small_options());
  run.logs = {"log"};
  run.folder.write("log", "before\n");
  run.train(3);
  run.folder.write("log", "before\nafter\n");
  run.train(4);
  EXPECT_EQ(run.folder.read("log"), "before\n");
}

// Empty if a training resumes from its saved state after `change` to the metadata; else the error.
std::string resumed_after(Exercise& run, const std::function<void(Metadata&)>& change) {
  const std::string path = run.folder.path("training/state.safetensors");
  std::vector<NamedTensor> tensors;
  Metadata metadata;
  {
    const SafetensorsFile file(path);
    for (const TensorEntry& entry : file.entries()) tensors.push_back({entry.name, file.read(entry)});
    metadata = file.metadata();
  }
  const Metadata good = metadata;
  change(metadata);
  save_tensors(path, tensors, metadata);
  std::string refusal;
  try {
    run.trainer().resume();
  } catch (const ModelFileError& error) {
    refusal = std::string(error.what()).substr(path.size());
  }
  save_tensors(path, tensors, good);
  return refusal;
}

TEST(ResumedTraining, RefusesATamperedState) {
  Exercise run(small_options());
  run.train(3);
  EXPECT_EQ(resumed_after(run, [](Metadata&) {}), "");
  EXPECT_EQ(resumed_after(run, [](Metadata& state) { state["step"] = "x"; }),
            ": 'step' is 'x', which is not a valid training state");
  EXPECT_EQ(resumed_after(run, [](Metadata& state) { state.erase("step"); }), ": 'step' is missing");
  EXPECT_EQ(resumed_after(run, [](Metadata& state) { state["best"] = "7"; }),
            ": 'best' is '7', which is not a valid training state");
  EXPECT_EQ(resumed_after(run, [](Metadata& state) { state["logs"] = "train.log"; }),
            ": 'logs' is 'train.log', which is not a valid training state");
  for (const std::string length : {"-1", "nan", "inf", "1e300"}) {
    EXPECT_EQ(
        resumed_after(run, [&](Metadata& state) { state["logs"] = "log " + length; }),
        cat(": 'logs' is 'log ", length == "1e300" ? "1e+300" : length, "', which is not a valid training state"));
  }
  EXPECT_EQ(
      resumed_after(run, [](Metadata& state) { state.erase("logs"), state.erase("metric"), state.erase("mean"); }), "")
      << "older versions have no such fields";
}

TEST(ResumedTraining, TruncatesNoFilesExceptItsLogs) {
  Exercise run(small_options());
  run.logs = {"log"};
  run.folder.write("log", "mine\n");
  run.train(3);
  const TemporaryFolder elsewhere;
  const std::string absolute = elsewhere.write("letter", "dear\n");
  run.folder.write("letter", "dear\n");
  run.folder.write("log", "mine\nlater\n");
  EXPECT_EQ(resumed_after(run, [&](Metadata& state) { state["logs"] = absolute + " 0 training/../letter 0 log 2"; }),
            "");
  EXPECT_EQ(elsewhere.read("letter"), "dear\n");
  EXPECT_EQ(run.folder.read("letter"), "dear\n");
  EXPECT_EQ(run.folder.read("log"), "mi");
}

}  // namespace
}  // namespace dhyan
