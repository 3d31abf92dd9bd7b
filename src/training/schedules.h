#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/real.h"

namespace dhyan {

// Settings of all schedules; each uses its own.
struct ScheduleOptions {
  double learning_rate = 1e-3;  // the peak; for inverse-sqrt see vaswani_peak()
  Index warmup_steps = 0;       // the rate grows linearly until then (inverse-sqrt needs at least 1)
  Index total_steps = 0;        // cosine: step at which final_rate is reached; training ends there if it is 0
  double final_rate = 0;        // cosine: the last rate; plateau: the lowest rate
  double factor = 0.5;          // plateau, epoch-decay: multiplies the rate
  Index patience = 3;           // plateau: validations without improvement before the rate falls
  double threshold = 1e-4;      // plateau: smallest relative improvement that counts
  Index decay_after = 5;        // epoch-decay: epochs at the full rate
};

// The learning rate at every step.
class Schedule {
 public:
  virtual ~Schedule() = default;

  virtual double rate(Index step) const = 0;  // steps count from 1

  // The first step with rate 0, at which training ends; empty if there is none.
  virtual std::optional<Index> last_step() const { return std::nullopt; }

  // Reports the result of a validation; lower is better.
  virtual void observe(double /*metric*/) {}

  virtual void end_epoch() {}

  // The state that the two functions above change, for checkpoints.
  virtual std::vector<double> state() const { return {}; }
  virtual void restore(std::span<const double> state);  // ModelFileError for a state of another schedule
};

// The table of schedules.
struct ScheduleEntry {
  std::string_view name;
  std::string_view reference;
  std::unique_ptr<Schedule> (*make)(const ScheduleOptions& options);
};
std::span<const ScheduleEntry> schedules();

// Throws ConfigError for a name that is not in the table, or a setting out of range.
std::unique_ptr<Schedule> make_schedule(std::string_view name, const ScheduleOptions& options);

// [vaswani2017] eq. 3 is inverse-sqrt with this learning rate: scale (H warmup)^-0.5.
double vaswani_peak(Index hidden, Index warmup_steps, double scale = 1);

}  // namespace dhyan
