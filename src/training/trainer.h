#pragma once

#include <filesystem>
#include <functional>

#include "data/batch_stream.h"
#include "training/best_checkpoints.h"
#include "training/parallel_step.h"
#include "training/training_events.h"
#include "training/training_options.h"

namespace dhyan {

// What a Trainer works with; all of it must outlive it.
struct TrainingTask {
  Model& model;
  BatchStream& batches;
  Index epoch_tokens;  // target tokens of an epoch, about; to tell how far it has come
  ThreadPool& pool;
  // How well the model does on what it was not trained on. The first number is to become small: it decides which
  // weights are kept, and when to stop. Without it the last weights are taken for the best.
  std::function<std::vector<NamedScore>()> validate;
  std::filesystem::path folder;  // of the model; must be there
};

enum class Ended { kEpochs, kSteps, kMinutes, kPatience, kOnRequest };

// Trains a model: the same weights, byte for byte, on any number of threads, and whether or not it was stopped and
// resumed in between.
//
// Files in the folder: model.safetensors, the best weights so far; training/state.safetensors, what resume() goes on
// from; training/step-N.safetensors, the best few weights, if they are to be averaged.
class Trainer {
 public:
  // ConfigError for options out of range.
  Trainer(const TrainingTask& task, const TrainingOptions& options);

  // Goes on from the folder instead of from the start. ModelFileError if what is there is damaged or of another model,
  // ConfigError if it is of other data.
  void resume();
  static bool can_resume(const std::filesystem::path& folder);

  // Until a limit of the options, or until stop(), asked after each step, says so. In the end the model's weights are
  // the best there were; a training that was stopped keeps those it had.
  Ended run(TrainingObserver& observer, const std::function<bool()>& stop);

  const TrainingState& state() const { return state_; }

 private:
  struct StepResult;

  ParameterSet& weights() const { return task_.model.parameters(); }
  TrainedTensors tensors() { return {weights(), *optimizer_, average_.get()}; }
  StepResult take_step();
  void record(const StepResult& result, TrainingObserver& observer);
  void report_interval(TrainingObserver& observer);
  void validate(TrainingObserver& observer);
  void try_average(TrainingObserver& observer);
  void save(TrainingObserver& observer);
  void finish(TrainingObserver& observer);
  std::optional<Ended> limit_reached() const;
  Moment moment() const;

  TrainingTask task_;
  TrainingOptions options_;
  std::unique_ptr<Optimizer> optimizer_;
  std::unique_ptr<Schedule> schedule_;
  std::unique_ptr<MovingAverage> average_;  // null: the weights themselves are the model
  ParallelStep step_;
  BestCheckpoints checkpoints_;
  TrainingState state_;
};

}  // namespace dhyan
