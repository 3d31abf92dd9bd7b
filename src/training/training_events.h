#pragma once

#include <filesystem>
#include <span>

#include "training/held_out.h"

namespace dhyan {

// The progress of training at an event.
struct Moment {
  Index step = 0;      // finished
  double epochs = 0;   // passes over the data; the fraction of the current one is an estimate
  double done = 0;     // fraction of the nearest limit; 0 without a limit
  double seconds = 0;  // of training so far, over all runs
};

struct StepEvent {
  Moment at;
  double loss = 0;  // -log p per target token
  Index target_tokens = 0;
};

// The steps since the last report.
struct IntervalEvent {
  Moment at;
  double loss = 0;  // -log p per target token
  double perplexity = 0;
  double learning_rate = 0;      // of the last step
  double gradient_norm = 0;      // before clipping; the mean
  double update_ratio = 0;       // |w - w before| / |w| of the last step
  double tokens_per_second = 0;  // of the target
  Index skipped = 0;             // steps so far with NaN or infinite gradients
};

struct ValidationEvent {
  Moment at;
  std::span<const NamedScore> metrics;  // loss first
  bool best = false;                    // so far, by the metric of stop-on
  std::span<const SampleTranslation> samples = {};
};

// The average of checkpoints was evaluated.
struct AverageEvent {
  Index checkpoints = 0;
  std::span<const NamedScore> metrics;
  bool taken = false;  // better than the best of them
};

// Receives the events of training, on the thread that runs it. The library never prints.
class TrainingObserver {
 public:
  virtual ~TrainingObserver() = default;
  virtual void on_step(const StepEvent&) {}
  virtual void on_interval(const IntervalEvent&) {}
  virtual void on_validation(const ValidationEvent&) {}
  virtual void on_average(const AverageEvent&) {}
  virtual void on_saved(const Moment&) {}  // the training state is on disk
};

}  // namespace dhyan
