#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "data/batch_stream.h"
#include "training/checkpoints.h"
#include "training/moving_average.h"
#include "training/optimizers.h"
#include "training/schedules.h"

namespace dhyan {

// The numbers of a stretch of training, to be reported together.
struct IntervalSums {
  Index steps = 0;
  Index target_tokens = 0;
  Index predictions = 0;     // tokens of the target that the loss is of
  double nll = 0;            // -log p of these
  double gradient_norm = 0;  // summed over steps
  double update_ratio = 0;   // of the last step
  double seconds = 0;

  friend bool operator==(const IntervalSums&, const IntervalSums&) = default;
};

// Where a training stands: with the weights and the state of the optimizer, all that decides how it goes on. What is
// random in a step is a function of seed and step, so that no generator needs to be kept.
struct TrainingState {
  Index step = 0;              // done
  Index skipped = 0;           // of these; their gradients were no numbers
  Index skipped_in_a_row = 0;  // up to now
  Index validated_step = 0;    // of the last validation
  Index validation_due = 0;    // 1: training was stopped while it validated, and validates first when it is resumed
  Index waited = 0;            // validations since the best one
  Index epoch_tokens = 0;      // target tokens of the epoch under way
  double seconds = 0;          // of training, over all runs
  StreamPosition position;     // of the next batch
  IntervalSums interval;       // since the last report
  KeptCheckpoints kept;
  std::string metric;            // that `best` of these and `waited` are about
  std::vector<double> schedule;  // Schedule::state()
  std::vector<NamedScore> logs;  // how many bytes each log had

  friend bool operator==(const TrainingState&, const TrainingState&) = default;
};

// The numbers that training moves.
struct TrainedTensors {
  ParameterSet& weights;
  Optimizer& optimizer;
  MovingAverage* average;  // null: there is none
};

// State and tensors in one safetensors file, so that they always fit together: it is replaced whole or not
// at all.
void save_training_state(const std::filesystem::path& file, const TrainingState& state, const TrainedTensors& tensors);

// ModelFileError, and nothing is changed, unless the file holds a state of these weights and this optimizer and matches
// its checksum, if it has one. An average that is not in the file begins with the weights. `poll` is called for every
// tensor, and may throw, to stop.
TrainingState load_training_state(const std::filesystem::path& file, const TrainedTensors& tensors,
                                  const std::function<void()>& poll = {});

// Without the tensors, for who only wants to know what was kept.
TrainingState read_training_state(const std::filesystem::path& file);

}  // namespace dhyan
