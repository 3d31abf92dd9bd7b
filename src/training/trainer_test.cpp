#include "training/trainer.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "interop/parameter_file.h"
#include "training/testing/exercise.h"

namespace dhyan {
namespace {

TEST(Trainer, LearnsAndKeepsTheBestWeights) {
  TrainingOptions options = small_options();
  options.max_epochs = 30;
  options.average = 0;
  options.schedule = "constant";
  options.schedule_settings.learning_rate = 0.03;
  Exercise run(options);
  EXPECT_EQ(run.train(), Ended::kEpochs);
  ASSERT_EQ(run.recorder.losses.size(), 30u);
  EXPECT_LT(run.recorder.losses.back(), 0.5 * run.recorder.losses.front());
  const double best = *std::ranges::min_element(run.recorder.losses);
  EXPECT_EQ(run.state.kept.best, (std::vector<Checkpoint>{{run.state.kept.best.front().step, best}}));
  EXPECT_EQ(run.validate().metrics.front().value, best) << "the model has the best weights in the end";
  load_parameters(run.folder.path("model.safetensors"), run.model->parameters());
  EXPECT_EQ(run.validate().metrics.front().value, best) << "and so has the file";
}

TEST(Trainer, GivesTheSameBytesOnAnyNumberOfThreads) {
  std::vector<std::string> results;
  for (const auto& [name, precision] : kPrecisions) {
    TrainingOptions options = small_options();
    options.precision = precision;
    Exercise one(options, 1), two(options, 2), three(options, 3);
    for (Exercise* run : {&one, &two, &three}) run->train();
    EXPECT_EQ(one.weights(), two.weights()) << name;
    EXPECT_EQ(one.weights(), three.weights()) << name;
    EXPECT_EQ(one.recorder.losses, three.recorder.losses) << name;
    results.push_back(one.weights());
  }
  EXPECT_NE(results[0], results[1]) << "the precision reaches the products";
}

TEST(Trainer, LeavesAModelEvenIfStoppedBeforeTheFirstValidation) {
  Exercise run(small_options());
  run.train(1);
  EXPECT_TRUE(run.recorder.losses.empty());
  EXPECT_EQ(run.recorder.saved, 1);
  EXPECT_NO_THROW(load_parameters(run.folder.path("model.safetensors"), run.model->parameters()));
}

TEST(Trainer, SkipsAndCountsStepsWithNanGradients) {
  Exercise run(small_options());
  Exercise plain(small_options());
  Parameter* table = nullptr;
  for (Parameter& parameter : run.model->parameters()) {
    if (parameter.value.shape() == Shape{kExerciseVocabulary, 8}) table = table == nullptr ? &parameter : table;
  }
  ASSERT_NE(table, nullptr);
  table->value.span()[7 * 8] = NAN;  // the word 7, in some batches
  run.train();
  plain.train();
  EXPECT_EQ(plain.state.skipped, 0);
  EXPECT_GT(run.state.skipped, 0);
  EXPECT_LT(run.state.skipped, run.state.step) << "the others are taken";
  Index not_numbers = 0;
  for (const Parameter& parameter : run.model->parameters()) {
    for (const Real weight : parameter.value.span()) not_numbers += std::isnan(weight);
  }
  EXPECT_EQ(not_numbers, 1) << "and nothing spreads";
}

TEST(Trainer, StopsAtTheNearestLimit) {
  TrainingOptions options = small_options();
  options.max_steps = 7;
  Exercise steps(options);
  EXPECT_EQ(steps.train(), Ended::kSteps);
  EXPECT_EQ(steps.state.step, 7);
  EXPECT_EQ(steps.state.validated_step, 7) << "the last weights have their chance";
  EXPECT_EQ(steps.recorder.steps.back().at.done, 1);

  options = small_options();
  options.max_minutes = 1e-9;
  Exercise minutes(options);
  EXPECT_EQ(minutes.train(), Ended::kMinutes);
  EXPECT_EQ(minutes.state.step, 1);

  options = small_options();
  options.patience = 2;
  options.max_epochs = 0;
  options.average = 0;
  Exercise patience(options);
  const std::vector<double> given{3, 2, 2.5, 2.1, 1};
  std::size_t validations = 0;
  patience.validate = [&] { return Validation{{{"loss", given.at(validations++)}}}; };
  EXPECT_EQ(patience.train(), Ended::kPatience);
  EXPECT_EQ(validations, 4u);
  EXPECT_EQ(patience.recorder.best, (std::vector<bool>{true, true, false, false}));
}

TEST(Trainer, EndsWithASchedulesLastStep) {
  TrainingOptions options = small_options();
  options.schedule = "cosine";
  options.schedule_settings.total_steps = 9;
  Exercise ended(options);
  EXPECT_EQ(ended.train(), Ended::kSchedule);
  EXPECT_EQ(ended.state.step, 9) << "not as many epochs as there may be, at a rate of 0";
  EXPECT_EQ(ended.state.validated_step, 9);
  EXPECT_EQ(ended.recorder.steps.back().at.done, 1);
  EXPECT_EQ(ended.train(), Ended::kSchedule) << "resumed, it takes no further step";
  EXPECT_EQ(ended.state.step, 9);

  options.schedule_settings.final_rate = 0.001;
  Exercise goes_on(options);
  EXPECT_EQ(goes_on.train(), Ended::kEpochs);
  EXPECT_GT(goes_on.state.step, 9);

  options.schedule_settings.final_rate = 0;
  options.max_steps = 9;
  EXPECT_EQ(Exercise(options).train(), Ended::kSteps) << "a limit that was asked for is named first";
}

TEST(Trainer, ValidatesAtAnIntervalOfSteps) {
  TrainingOptions options = small_options();
  options.validate_steps = 4;
  options.max_steps = 10;
  Exercise run(options);
  run.train();
  EXPECT_EQ(run.recorder.losses.size(), 3u) << "at 4, at 8 and in the end";
}

TEST(Trainer, ReportsIntervalsAndProgress) {
  Exercise run(small_options());
  run.train();
  const auto& steps = run.recorder.steps;
  ASSERT_EQ(run.recorder.intervals.size(), steps.size() / 5);
  const IntervalEvent& first = run.recorder.intervals.front();
  double nll = 0;
  Index tokens = 0;
  for (std::size_t i = 0; i < 5; ++i) {
    nll += steps[i].loss * static_cast<double>(steps[i].target_tokens);
    tokens += steps[i].target_tokens;
  }
  EXPECT_NEAR(first.loss, nll / static_cast<double>(tokens), 1e-9);
  EXPECT_NEAR(first.perplexity, std::exp(first.loss), 1e-9);
  EXPECT_EQ(first.learning_rate, 0.01);
  EXPECT_GT(first.gradient_norm, 0);
  EXPECT_GT(first.tokens_per_second, 0);
  EXPECT_TRUE(std::ranges::is_sorted(steps, {}, [](const StepEvent& event) { return event.at.done; }));
  EXPECT_EQ(steps.back().at.done, 1);
  EXPECT_EQ(steps.back().at.epochs, 4);
}

TEST(Trainer, KeepsTheAverageOfTheBestOnlyIfItIsBetter) {
  for (const double mean : {0.5, 5.0}) {
    Exercise run(small_options());
    const std::vector<double> given{4, 2, 3, 1, mean};
    std::size_t validations = 0;
    run.validate = [&] { return Validation{{{"loss", given.at(validations++)}}}; };
    run.train();
    EXPECT_EQ(run.recorder.averaged_loss, mean);
    EXPECT_EQ(run.recorder.average_taken, mean < 1);
    ASSERT_EQ(run.state.kept.best.size(), 3u);
    EXPECT_EQ(run.state.kept.best.front().score, 1);
    EXPECT_EQ(run.state.kept.best.back().score, 3);
    // Each weight is the mean of those of the three files, or that of the best.
    const std::string name = std::prev(run.model->parameters().end())->name;
    const auto first_weight = [&](const std::string& file) {
      const SafetensorsFile opened(run.folder.path(file));
      return opened.read(*opened.find(name)).span()[0];
    };
    std::vector<Real> kept;
    double sum = 0;
    for (const Checkpoint& checkpoint : run.state.kept.best) {
      kept.push_back(first_weight(cat("training/step-", checkpoint.step, ".safetensors")));
      sum += kept.back();
    }
    EXPECT_EQ(first_weight("model.safetensors"), mean < 1 ? static_cast<Real>(sum / 3) : kept.front());
    EXPECT_NE(kept[0], kept[1]);
  }
}

TEST(Trainer, KeepsTheAverageUntilACheckpointIsBetter) {
  Exercise run(small_options());
  std::vector<double> given{4, 2, 3, 1, 0.5};  // the last is of the mean
  std::size_t validations = 0;
  run.validate = [&] { return Validation{{{"loss", given.at(validations++)}}}; };
  run.train();
  ASSERT_TRUE(run.recorder.average_taken);
  EXPECT_EQ(run.state.kept.mean, 0.5);
  const std::string mean = run.weights();

  given = {0.5};
  validations = 0;
  run.train();
  EXPECT_TRUE(run.recorder.average_taken) << "the same again";
  EXPECT_EQ(run.weights(), mean);

  run.options.max_epochs = 5;
  given = {0.75, 0.6};
  validations = 0;
  run.train();
  EXPECT_FALSE(run.recorder.best.back()) << "better than the checkpoints, and not than their mean";
  EXPECT_FALSE(run.recorder.average_taken);
  EXPECT_EQ(run.weights(), mean);

  run.options.max_epochs = 6;
  given = {0.25, 0.3};
  validations = 0;
  run.train();
  EXPECT_TRUE(run.recorder.best.back());
  EXPECT_EQ(run.state.kept.mean, std::nullopt);
  EXPECT_NE(run.weights(), mean);
}

TEST(Trainer, AveragesAvailableCheckpointsIfAverageWasSetLater) {
  TrainingOptions options = small_options();
  options.average = 0;
  options.max_epochs = 2;
  Exercise run(options);
  std::vector<double> given{1, 2, 3, 4, 0.5};  // the best has no file of its own
  std::size_t validations = 0;
  run.validate = [&] { return Validation{{{"loss", given.at(validations++)}}}; };
  run.train();
  run.options.average = 3;
  run.options.max_epochs = 4;
  EXPECT_EQ(run.train(), Ended::kEpochs);
  EXPECT_TRUE(run.recorder.average_taken);
  EXPECT_EQ(run.recorder.averaged, 2);
  run.options.average = 2;
  run.options.max_epochs = 5;
  given = {2.5, 0.25};
  validations = 0;
  run.train();
  EXPECT_EQ(run.state.kept.best.size(), 2u) << "no more than there are to be";
}

TEST(Trainer, KeepsTheLastWeightsWithoutHeldOutData) {
  Exercise run(small_options());
  run.validate = nullptr;
  run.train();
  const std::string saved = run.weights();
  save_parameters(run.folder.path("last"), run.model->parameters());
  EXPECT_EQ(run.folder.read("last"), saved);
  EXPECT_TRUE(run.recorder.losses.empty());
}

TEST(Trainer, SelectsByTheConfiguredMetric) {
  TrainingOptions options = small_options();
  options.average = 0;
  options.max_epochs = 0;
  options.stop_on = "bleu";
  options.patience = 2;
  options.keep_best = {"loss"};
  Exercise run(options);
  const std::vector<double> bleu{10, 30, 20, 25};
  std::size_t validations = 0;
  run.validate = [&] {
    const std::size_t at = validations++;
    return Validation{{{"loss", 5 - static_cast<double>(at)}, {"bleu", bleu.at(at)}}};
  };
  EXPECT_EQ(run.train(), Ended::kPatience);
  EXPECT_EQ(run.recorder.best, (std::vector<bool>{true, true, false, false}));
  EXPECT_EQ(run.state.kept.best.front().score, 30);
  EXPECT_EQ(run.state.kept.records, (std::vector<NamedScore>{{"loss", 2}}));
  EXPECT_NE(run.folder.read("model-best-loss.safetensors"), run.weights());
  run.options.stop_on = "loss";
  EXPECT_THROW(run.trainer().resume(), ConfigError) << "the best so far are so by another metric";
}

TEST(Trainer, AveragesTheLastCheckpointsWithoutHeldOutData) {
  TrainingOptions options = small_options();
  options.average_of = AverageOf::kLast;
  Exercise run(options);
  run.validate = nullptr;
  run.train();
  EXPECT_TRUE(run.recorder.average_taken);
  const std::string mean = run.weights();
  load_mean(files_of_last(run.folder.path(), run.state.kept), run.model->parameters());
  save_parameters(run.folder.path("mean"), run.model->parameters());
  EXPECT_EQ(run.folder.read("mean"), mean);
  EXPECT_EQ(run.state.kept.last.size(), 3u);
}

TEST(Trainer, StopsAfterTooManyNanSteps) {
  TrainingOptions options = small_options();
  options.max_skipped = 3;
  options.save_steps = 2;
  Exercise sick(options);
  Trainer trainer = sick.trainer();
  const auto break_after_four = [&] {
    if (trainer.state().step != 4) return false;
    for (const Parameter& weight : sick.model->parameters()) weight.value.fill(NAN);
    return false;
  };
  EXPECT_EQ(trainer.run(sick.recorder, break_after_four), Ended::kNotFinite);
  EXPECT_EQ(trainer.state().step, 7);
  EXPECT_EQ(read_training_state(state_file(sick.folder.path())).step, 4) << "what was saved before";
  load_parameters(sick.folder.path("model.safetensors"), sick.model->parameters());
  EXPECT_TRUE(std::isfinite(sick.validate().metrics.front().value));
}

TEST(Trainer, SavesNothingIfStoppedWhileStepsAreSkipped) {
  Exercise sick(small_options());
  for (const Parameter& weight : sick.model->parameters()) weight.value.fill(NAN);
  EXPECT_EQ(sick.train(2), Ended::kOnRequest);
  EXPECT_EQ(sick.recorder.saved, 0);
  EXPECT_EQ(read_training_state(state_file(sick.folder.path())).step, 0);
}

TEST(Trainer, ReportsTheUpdateRatio) {
  TrainingOptions options = small_options();
  options.schedule = "constant";
  Exercise slow(options);
  slow.train();
  options.schedule_settings.learning_rate *= 3;
  Exercise fast(options);
  fast.train();
  const double few = slow.recorder.intervals.front().update_ratio, many = fast.recorder.intervals.front().update_ratio;
  EXPECT_GT(few, 0);
  EXPECT_GT(many, 2 * few);
  EXPECT_LT(many, 0.5);
}

}  // namespace
}  // namespace dhyan
