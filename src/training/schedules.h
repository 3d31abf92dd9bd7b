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
  double learning_rate = 1e-3;  // the largest; for inverse-sqrt see vaswani_peak()
  Index warmup_steps = 0;       // up to it the rate grows in a straight line (inverse-sqrt needs at least 1)
  Index total_steps = 0;        // cosine: when final_rate is reached; training ends there if that is 0
  double final_rate = 0;        // cosine: where it ends; plateau: below it the rate does not fall
  double factor = 0.5;          // plateau, epoch-decay: what the rate is multiplied with
  Index patience = 3;           // plateau: how many validations without progress are borne
  double threshold = 1e-4;      // plateau: progress is to fall by more than this share of the best
  Index decay_after = 5;        // epoch-decay: so many epochs have the full rate, each further one a smaller rate
};

// The learning rate at every step.
class Schedule {
 public:
  virtual ~Schedule() = default;

  virtual double rate(Index step) const = 0;  // steps count from 1

  // The step from which on the rate is 0, so that training ends there. None: it never is.
  virtual std::optional<Index> last_step() const { return std::nullopt; }

  // The result of a validation, of which less is better.
  virtual void observe(double /*metric*/) {}

  virtual void end_epoch() {}

  // What these two have changed, for checkpoints.
  virtual std::vector<double> state() const { return {}; }
  virtual void restore(std::span<const double> state);  // throws ModelFileError if it is not from state()
};

// The schedules there are. A new one is an entry here.
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
