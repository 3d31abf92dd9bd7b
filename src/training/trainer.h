#pragma once

#include <filesystem>
#include <functional>

#include "data/batch_stream.h"
#include "training/training_events.h"
#include "training/training_state.h"
#include "training/training_step.h"

namespace dhyan {

// What a Trainer works with; all of it must outlive it.
struct TrainingTask {
  Model& model;
  BatchStream& batches;
  Index epoch_tokens;  // target tokens of an epoch, about; to tell how far it has come
  ThreadPool& pool;
  // How well the model does on what it was not trained on; the metric of the options decides which weights are kept,
  // and when to stop. Without it the last weights are taken for the best. May throw StopTraining.
  std::function<Validation()> validate;
  std::filesystem::path folder;  // of the model; must be there
  // Files of the folder to which observers only ever append. They are cut back to what they were when the state was
  // saved that a training is resumed from.
  std::vector<std::string> logs = {};
  // Called often while a step is computed and checkpoints are averaged, from several threads at once. May throw
  // StopTraining.
  std::function<void()> poll = {};
};

// Stops a training as stop() of Trainer::run() does, without waiting for the end of the step or the validation under
// way, which is dropped, and done anew when the training is resumed.
struct StopTraining {};

enum class Ended { kEpochs, kSteps, kMinutes, kPatience, kSchedule, kNotFinite, kOnRequest };

// Trains a model: the same weights, byte for byte, on any number of threads, and whether or not it was stopped and
// resumed in between.
//
// Files in the folder: those of Checkpoints, and training/state.safetensors, what resume() goes on from. The model and
// the state are there from before the first step on; nothing is saved while steps are skipped.
class Trainer {
 public:
  // ConfigError for options out of range.
  Trainer(const TrainingTask& task, const TrainingOptions& options);
  Trainer(const Trainer&) = delete;
  Trainer& operator=(const Trainer&) = delete;

  // Goes on from the folder instead of from the start. ModelFileError if what is there is damaged or of another model,
  // ConfigError if it is of other data.
  void resume();
  static bool can_resume(const std::filesystem::path& folder);

  // Until a limit of the options, until the schedule leaves a rate of 0, or until stop(), asked after each step, says
  // so or StopTraining is thrown. In the end the model's weights are the best there were; a training that was stopped
  // keeps those it had. One that ends because gradients were NaN or infinite leaves what it saved last.
  Ended run(TrainingObserver& observer, const std::function<bool()>& stop);

  const TrainingState& state() const { return state_; }
  const Schedule& schedule() const { return *schedule_; }

  // Of the bytes a step needs; takes about as long as one, and leaves no trace. What the task's poll throws is thrown
  // here, and by resume().
  TrainingStep::Memory measure_memory();

 private:
  ParameterSet& weights() const { return task_.model.parameters(); }
  TrainedTensors tensors() { return {weights(), step_.optimizer(), step_.average()}; }
  Ended train(TrainingObserver& observer, const std::function<bool()>& stop);
  StepResult take_step();
  void record(const StepResult& result, TrainingObserver& observer);
  void report_interval(TrainingObserver& observer);
  bool time_to_validate(bool epoch_over) const;
  void validate_and_save(bool epoch_over, TrainingObserver& observer);
  void validate(TrainingObserver& observer);
  std::vector<std::filesystem::path> files_to_average() const;
  void try_average(TrainingObserver& observer);
  void take_mean(std::optional<double> score);
  void keep_last();
  void save(TrainingObserver& observer);
  void save_model();
  void save_state();
  void save_stopped(TrainingObserver& observer);
  void finish(TrainingObserver& observer);
  std::optional<Ended> limit_reached() const;
  Moment moment() const;

  TrainingTask task_;
  TrainingOptions options_;
  TrainingStep step_;
  std::unique_ptr<Schedule> schedule_;
  Checkpoints checkpoints_;
  TrainingState state_;
  bool validation_due_ = false, save_due_ = false;  // put off while steps are skipped
  bool averaging_ = false;                          // the weights are no longer those that training goes on with
};

}  // namespace dhyan
