#pragma once

#include <filesystem>
#include <functional>

#include "data/batch_stream.h"
#include "training/training_events.h"
#include "training/training_state.h"
#include "training/training_step.h"

namespace dhyan {

// The inputs of a Trainer; all must outlive it.
struct TrainingTask {
  Model& model;
  BatchStream& batches;
  Index epoch_tokens;  // target tokens per epoch, an estimate to report progress
  ThreadPool& pool;
  // Measures the model on held-out data; the metric `stop_on` decides which weights are kept and when to stop. Null:
  // the last weights count as the best. May throw StopTraining.
  std::function<Validation()> validate;
  std::filesystem::path folder;  // of the model; must exist
  // Files of the folder to which observers append. Resuming truncates them to their length at the time of the saved
  // state.
  std::vector<std::string> logs = {};
  // Called often while a step is computed and checkpoints are averaged, from several threads at once. May throw
  // StopTraining.
  std::function<void()> poll = {};
  // Null: this process alone. Otherwise all functions of the Trainer are collective: rank 0 reads and writes the
  // folder, its clock counts, stop() stops all if it is true on one, and `poll` is called between steps only.
  const Ranks* ranks = nullptr;
};

enum class Ended { kEpochs, kSteps, kMinutes, kPatience, kSchedule, kNotFinite, kOnRequest };

// Trains a model. The weights are the same, byte for byte, on any number of threads and with any interruptions.
//
// Files in the folder: those of Checkpoints, and training/state.safetensors, from which resume() continues. Model and
// state exist before the first step; nothing is saved while steps are skipped.
class Trainer {
 public:
  // ConfigError for options out of range.
  Trainer(const TrainingTask& task, const TrainingOptions& options);
  Trainer(const Trainer&) = delete;
  Trainer& operator=(const Trainer&) = delete;

  // Continues from the saved state. ModelFileError if it is damaged or of another model, ConfigError if it is of other
  // data.
  void resume();
  static bool can_resume(const std::filesystem::path& folder);

  // Trains until a limit of the options, until the schedule reaches rate 0, until stop(), called after each step,
  // returns true, or until StopTraining is thrown. Then the model has the best weights; a stopped training keeps its
  // current ones, and one that ends because gradients are NaN or infinite keeps the last saved state.
  Ended run(TrainingObserver& observer, const std::function<bool()>& stop);

  const TrainingState& state() const { return state_; }
  const Schedule& schedule() const { return *schedule_; }

  // Measures the memory of a step by running one and discarding it. Exceptions of the task's poll are rethrown here,
  // and by resume().
  TrainingStep::Memory measure_memory();

 private:
  ParameterSet& weights() const { return task_.model.parameters(); }
  TrainedTensors tensors() { return {weights(), step_.optimizer(), step_.average(), communicator()}; }
  Communicator* communicator() const { return task_.ranks != nullptr ? &task_.ranks->communicator : nullptr; }
  bool uses_files() const { return task_.ranks == nullptr || communicator()->first(); }
  bool agreed_to_stop(const std::function<bool()>& stop);
  Ended train(TrainingObserver& observer, const std::function<bool()>& stop);
  StepResult take_step();
  void record(const StepResult& result, TrainingObserver& observer);
  void report_interval(TrainingObserver& observer);
  bool time_to_validate(bool epoch_over) const;
  void validate_and_save(bool epoch_over, TrainingObserver& observer);
  void validate(TrainingObserver& observer);
  std::vector<std::filesystem::path> files_to_average() const;
  void try_average(TrainingObserver& observer);
  Index load_mean_of_files();
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
  bool validation_due_ = false, save_due_ = false;  // postponed while steps are skipped
  bool averaging_ = false;                          // the weights are an average, not those of training
};

}  // namespace dhyan
