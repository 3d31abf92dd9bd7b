#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <vector>

#include "data/batch_stream.h"
#include "training/moving_average.h"
#include "training/parallel_step.h"
#include "training/training_options.h"

namespace dhyan {

struct StepResult {
  double nll = 0;
  double gradient_norm = 0;  // before clipping
  double update_ratio = 0;   // |w - w before| / |w|, if requested
  Index target_tokens = 0;
  Index predictions = 0;  // predicted tokens

  bool finite() const { return std::isfinite(gradient_norm) && std::isfinite(nll); }
};

// One update of a model's weights: forward and backward over one or several accumulated batches, and a step of the
// optimizer. A batch is split into shards, and a shard that exceeds its part of the workspace is split further; the
// split depends on batch and options, not on the number of threads.
class TrainingStep {
 public:
  // All must outlive it. ConfigError for options out of range.
  // With `ranks` it is collective: all ranks take the same steps and get the same results and weights; each keeps a
  // share of the optimizer's state.
  TrainingStep(Model& model, ThreadPool& pool, const TrainingOptions& options, const Ranks* ranks = nullptr);

  struct Plan {
    Index number = 1;  // of the step, from 1
    double learning_rate = 0;
    bool measure_update = false;
  };

  // If the gradients are NaN or infinite, nothing is changed. `poll` is called from several threads at once, before
  // anything is changed, and may throw to abandon the step.
  StepResult take(BatchStream& batches, const Plan& plan, const std::function<void()>& poll = {});

  Optimizer& optimizer() { return *optimizer_; }
  MovingAverage* average() { return average_.get(); }  // null: there is none

  // Memory of a training in bytes, without prefetched data.
  struct Memory {
    std::size_t weights = 0;
    std::size_t gradients = 0;
    std::size_t optimizer = 0;  // and average
    std::size_t arenas = 0;     // of threads, for a step like this one
  };
  // Measured by forward and backward over a batch, whose gradients are discarded.
  Memory measure(const Batch& batch, const std::function<void()>& poll = {});

 private:
  void run(std::span<const Batch> shards, Index step, std::span<double> nll, const std::function<void()>& poll);
  double finish_gradients(std::span<double> nll);
  double add(ParallelStep::Shard& shard, const Batch& part, Real share, Then then) const;
  void update(const Plan& plan, StepResult& result);

  Model& model_;
  ThreadPool& pool_;
  const TrainingOptions& options_;
  std::unique_ptr<Optimizer> optimizer_;
  std::unique_ptr<MovingAverage> average_;
  ParallelStep step_;
};

}  // namespace dhyan
