#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "data/batch_stream.h"
#include "distributed/communicator.h"
#include "training/checkpoints.h"
#include "training/moving_average.h"
#include "training/optimizers.h"
#include "training/schedules.h"

namespace dhyan {

// Sums over the steps since the last report.
struct IntervalSums {
  Index steps = 0;
  Index target_tokens = 0;
  Index predictions = 0;     // predicted target tokens
  double nll = 0;            // -log p of these
  double gradient_norm = 0;  // summed over steps
  double update_ratio = 0;   // of the last step
  double seconds = 0;

  friend bool operator==(const IntervalSums&, const IntervalSums&) = default;
};

// The prefix of the names of weights in a state file.
inline constexpr std::string_view kStateWeights = "weights.";

// The training state: with the weights and the optimizer's state, it determines how training continues. Random numbers
// are a function of seed and step, so no generator state is saved.
struct TrainingState {
  Index step = 0;              // done
  Index skipped = 0;           // of these, with NaN or infinite gradients
  Index skipped_in_a_row = 0;  // up to now
  Index validated_step = 0;    // of the last validation
  Index validation_due = 0;    // 1: stopped during a validation, which a resumed training repeats first
  Index waited = 0;            // validations since the best one
  Index epoch_tokens = 0;      // target tokens of the current epoch so far
  double seconds = 0;          // of training, over all runs
  StreamPosition position;     // of the next batch
  IntervalSums interval;       // since the last report
  KeptCheckpoints kept;
  std::string metric;            // of `best` and `waited`
  std::vector<double> schedule;  // Schedule::state()
  std::vector<NamedScore> logs;  // bytes of each log

  friend bool operator==(const TrainingState&, const TrainingState&) = default;
};

// The tensors that training changes.
struct TrainedTensors {
  ParameterSet& weights;
  Optimizer& optimizer;
  MovingAverage* average;         // null: none
  Communicator* ranks = nullptr;  // null: there is one rank; otherwise saving and loading are collective
};

// Rank 0 reads and writes the file. Writes state and tensors to one safetensors file, atomically, so that they are
// always consistent.
void save_training_state(const std::filesystem::path& file, const TrainingState& state, const TrainedTensors& tensors);

// ModelFileError, without any change, unless the file holds a state of these weights and this optimizer and matches its
// checksum, if it has one. An average that is not in the file starts with the weights. `poll` is called for every
// tensor and may throw to stop.
TrainingState load_training_state(const std::filesystem::path& file, const TrainedTensors& tensors,
                                  const std::function<void()>& poll = {});

// Reads the state without the tensors.
TrainingState read_training_state(const std::filesystem::path& file);

}  // namespace dhyan
