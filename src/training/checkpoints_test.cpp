#include "training/checkpoints.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/temporary_folder.h"
#include "interop/parameter_file.h"

namespace dhyan {
namespace {

class CheckpointFiles : public FolderTest {
 protected:
  CheckpointFiles() {
    std::filesystem::create_directories(state_folder(folder_));
    weights_.add("w", {1});
  }

  // Runs a validation whose weights are the number of the step.
  bool validated(const Checkpoints& checkpoints, Index step, std::vector<NamedScore> metrics) {
    set(static_cast<Real>(step));
    const bool best = checkpoints.add_validated(kept_, step, metrics, weights_);
    checkpoints.forget_others(kept_);
    return best;
  }

  void set(Real value) { weights_.begin()->value.span()[0] = value; }
  Real weight_in(const std::filesystem::path& file) {
    load_parameters(file, weights_);
    return weights_.begin()->value.span()[0];
  }
  std::vector<std::string> steps() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(state_folder(folder_))) {
      names.push_back(entry.path().stem());
    }
    std::ranges::sort(names);
    return names;
  }

  ParameterSet weights_;
  KeptCheckpoints kept_;
};

TEST_F(CheckpointFiles, KeepTheLowestValuesOfALoss) {
  const Checkpoints checkpoints(folder_, {.metric = "loss", .best = 2});
  EXPECT_TRUE(validated(checkpoints, 1, {{"loss", 3}}));
  EXPECT_TRUE(validated(checkpoints, 2, {{"loss", 1}}));
  EXPECT_FALSE(validated(checkpoints, 3, {{"loss", 2}}));
  EXPECT_FALSE(validated(checkpoints, 4, {{"loss", 1}})) << "the older of equals is the better";
  EXPECT_FALSE(validated(checkpoints, 5, {{"loss", NAN}}));
  KeptCheckpoints none;
  EXPECT_FALSE(checkpoints.add_validated(none, 6, std::vector<NamedScore>{{"loss", INFINITY}}, weights_));
  EXPECT_EQ(kept_.best, (std::vector<Checkpoint>{{2, 1}, {4, 1}}));
  EXPECT_EQ(steps(), (std::vector<std::string>{"step-2", "step-4"}));
  EXPECT_EQ(weight_in(model_file(folder_)), 2);
}

TEST_F(CheckpointFiles, KeepTheHighestValuesOfAScore) {
  const Checkpoints checkpoints(folder_, {.metric = "bleu"});
  EXPECT_TRUE(validated(checkpoints, 1, {{"loss", 3}, {"bleu", 10}}));
  EXPECT_TRUE(validated(checkpoints, 2, {{"loss", 4}, {"bleu", 20}}));
  EXPECT_FALSE(validated(checkpoints, 3, {{"loss", 1}, {"bleu", 15}}));
  EXPECT_EQ(weight_in(model_file(folder_)), 2);
  EXPECT_TRUE(steps().empty()) << "one is the model itself";
}

TEST_F(CheckpointFiles, KeepTheBestByEachMetric) {
  const Checkpoints checkpoints(folder_, {.record_metrics = {"bleu", "loss"}});
  validated(checkpoints, 1, {{"loss", 3}, {"bleu", 10}});
  validated(checkpoints, 2, {{"loss", 2}, {"bleu", 9}});
  validated(checkpoints, 3, {{"loss", 5}, {"bleu", 12}});
  EXPECT_EQ(weight_in(folder_ / "model-best-bleu.safetensors"), 3);
  EXPECT_EQ(weight_in(folder_ / "model-best-loss.safetensors"), 2);
  EXPECT_EQ(kept_.records, (std::vector<NamedScore>{{"bleu", 12}, {"loss", 2}}));
  EXPECT_THROW(validated(checkpoints, 4, {{"loss", 3}}), ConfigError) << "bleu was not measured";
}

TEST_F(CheckpointFiles, KeepTheLastSavesBesideTheBest) {
  const Checkpoints checkpoints(folder_, {.best = 2, .last = 2});
  for (Index step = 1; step <= 4; ++step) {
    validated(checkpoints, step, {{"loss", static_cast<double>(step)}});
    checkpoints.add_last(kept_, step, weights_);
    checkpoints.forget_others(kept_);
  }
  EXPECT_EQ(kept_.last, (std::vector<Index>{3, 4}));
  EXPECT_EQ(steps(), (std::vector<std::string>{"step-1", "step-2", "step-3", "step-4"}));
  load_mean(files_of_last(folder_, kept_), weights_);
  EXPECT_EQ(weights_.begin()->value.span()[0], Real(3.5));
  load_mean(files_of_best(folder_, kept_), weights_);
  EXPECT_EQ(weights_.begin()->value.span()[0], Real(1.5));
  EXPECT_THROW(load_mean({}, weights_), UsageError);
}

TEST_F(CheckpointFiles, ReportProgressWhileAveraged) {
  const Checkpoints checkpoints(folder_, {.last = 3});
  for (Index step = 1; step <= 3; ++step) checkpoints.add_last(kept_, step, weights_);
  struct Sink final : ProgressSink {
    void update(std::uint64_t done, std::optional<std::uint64_t> total, std::string_view unit) override {
      told.push_back(cat(done, " of ", total.value_or(0), " ", unit));
    }
    std::vector<std::string> told;
  } sink;
  load_mean(files_of_last(folder_, kept_), weights_, {}, &sink);
  EXPECT_EQ(sink.told, (std::vector<std::string>{"1 of 3 checkpoints", "2 of 3 checkpoints", "3 of 3 checkpoints"}));
}

TEST_F(CheckpointFiles, NeedMeasuredMetrics) {
  EXPECT_THROW(Checkpoints(folder_, {.metric = "beauty"}), ConfigError);
  EXPECT_THROW(Checkpoints(folder_, {.record_metrics = {"beauty"}}), ConfigError);
}

}  // namespace
}  // namespace dhyan
