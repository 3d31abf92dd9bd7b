#pragma once

#include <filesystem>
#include <span>

#include "training/held_out.h"

namespace dhyan {

// Where training is when it tells of something.
struct Moment {
  Index step = 0;      // done
  double epochs = 0;   // passes over the data, done; the part of the one under way is an estimate
  double done = 0;     // share of all, towards the limit that is nearest; 0 if there is none
  double seconds = 0;  // of training so far, over all runs
};

struct StepEvent {
  Moment at;
  double loss = 0;  // -log p for each target token
  Index target_tokens = 0;
};

// The steps since the last report.
struct IntervalEvent {
  Moment at;
  double loss = 0;  // -log p for each target token
  double perplexity = 0;
  double learning_rate = 0;      // of the last step
  double gradient_norm = 0;      // before clipping; the mean
  double update_ratio = 0;       // |w - w before| / |w| of the last step
  double tokens_per_second = 0;  // of the target
  Index skipped = 0;             // steps since the begin whose gradients were no numbers
};

struct ValidationEvent {
  Moment at;
  std::span<const NamedScore> metrics;  // loss first
  bool best = false;                    // so far, by the metric that training goes by
  std::span<const SampleTranslation> samples = {};
};

// The mean of some checkpoints was tried.
struct AverageEvent {
  Index checkpoints = 0;
  std::span<const NamedScore> metrics;
  bool taken = false;  // better than the best of them
};

// Told of the advance of training, on the thread that called for it. The library never prints.
class TrainingObserver {
 public:
  virtual ~TrainingObserver() = default;
  virtual void on_step(const StepEvent&) {}
  virtual void on_interval(const IntervalEvent&) {}
  virtual void on_validation(const ValidationEvent&) {}
  virtual void on_average(const AverageEvent&) {}
  virtual void on_saved(const Moment&) {}  // what is needed to go on is on the disk
};

}  // namespace dhyan
