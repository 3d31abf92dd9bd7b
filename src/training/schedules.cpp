#include "training/schedules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "core/error.h"
#include "core/table.h"

namespace dhyan {

namespace {

// 1/warmup, 2/warmup, ..., 1, 1, ...
double warmed_up(Index step, Index warmup) {
  return step < warmup ? static_cast<double>(step) / static_cast<double>(warmup) : 1.0;
}

void expect_factor(const char* schedule, const ScheduleOptions& options) {
  if (options.factor > 0 && options.factor < 1) return;
  throw ConfigError(cat("schedule ", schedule, ": factor is ", options.factor, ", expected between 0 and 1"));
}

class Constant final : public Schedule {
 public:
  explicit Constant(const ScheduleOptions& options) : options_(options) {}
  double rate(Index step) const override { return options_.learning_rate * warmed_up(step, options_.warmup_steps); }

 private:
  ScheduleOptions options_;
};

// peak min(step / warmup, sqrt(warmup / step))
class InverseSqrt final : public Schedule {
 public:
  explicit InverseSqrt(const ScheduleOptions& options) : options_(options) {
    if (options.warmup_steps < 1) {
      throw ConfigError(cat("schedule inverse-sqrt: warmup-steps is ", options.warmup_steps, ", expected at least 1"));
    }
  }
  double rate(Index step) const override {
    const Index warmup = options_.warmup_steps;
    if (step < warmup) return options_.learning_rate * warmed_up(step, warmup);
    return options_.learning_rate * std::sqrt(static_cast<double>(warmup) / static_cast<double>(step));
  }

 private:
  ScheduleOptions options_;
};

// final + (peak - final) (1 + cos(pi t)) / 2, t from 0 at the end of the warm-up to 1 at total_steps
class Cosine final : public Schedule {
 public:
  explicit Cosine(const ScheduleOptions& options) : options_(options) {
    if (options.total_steps <= options.warmup_steps) {
      throw ConfigError(cat("schedule cosine: total-steps is ", options.total_steps,
                            ", expected the step at which the rate is lowest, after the ", options.warmup_steps,
                            " of warmup-steps (--total-steps)"));
    }
  }
  double rate(Index step) const override {
    const Index warmup = options_.warmup_steps, total = options_.total_steps;
    if (step < warmup) return options_.learning_rate * warmed_up(step, warmup);
    const double t = static_cast<double>(std::min(step, total) - warmup) / static_cast<double>(total - warmup);
    return options_.final_rate +
           (options_.learning_rate - options_.final_rate) * (1 + std::cos(std::numbers::pi * t)) / 2;
  }
  std::optional<Index> last_step() const override {
    return options_.final_rate > 0 ? std::nullopt : std::optional(options_.total_steps);
  }

 private:
  ScheduleOptions options_;
};

class Plateau final : public Schedule {
 public:
  explicit Plateau(const ScheduleOptions& options) : options_(options), rate_(options.learning_rate) {
    expect_factor("plateau", options);
    if (options.patience < 0) {
      throw ConfigError(cat("schedule plateau: patience is ", options.patience, ", expected at least 0"));
    }
    if (!(options.threshold >= 0 && options.threshold < 1)) {
      throw ConfigError(
          cat("schedule plateau: threshold is ", options.threshold, ", expected 0 or more and less than 1"));
    }
  }

  double rate(Index step) const override { return rate_ * warmed_up(step, options_.warmup_steps); }

  void observe(double metric) override {
    if (metric < best_ - options_.threshold * std::abs(best_) || (std::isinf(best_) && std::isfinite(metric))) {
      best_ = metric;
      waited_ = 0;
    } else if (++waited_ > options_.patience) {  // NaN is no improvement
      rate_ = std::max(options_.final_rate, rate_ * options_.factor);
      waited_ = 0;
    }
  }

  std::vector<double> state() const override { return {rate_, best_, static_cast<double>(waited_)}; }

  void restore(std::span<const double> state) override {
    if (state.size() != 3 || !(state[0] >= 0) ||
        !(state[2] >= 0 && state[2] <= static_cast<double>(options_.patience))) {
      throw ModelFileError(cat("schedule plateau: ", state.size(), " values of state, which are not of this schedule"));
    }
    rate_ = state[0];
    best_ = state[1];
    waited_ = static_cast<Index>(state[2]);
  }

 private:
  ScheduleOptions options_;
  double rate_;
  double best_ = std::numeric_limits<double>::infinity();
  Index waited_ = 0;  // validations since the best one or the last decay
};

// peak factor^max(0, epochs - decay_after + 1)
class EpochDecay final : public Schedule {
 public:
  explicit EpochDecay(const ScheduleOptions& options) : options_(options) {
    expect_factor("epoch-decay", options);
    if (options.decay_after < 1) {
      throw ConfigError(cat("schedule epoch-decay: decay_after is ", options.decay_after, ", expected at least 1"));
    }
  }

  double rate(Index step) const override {
    const Index cuts = std::max<Index>(0, epochs_ - options_.decay_after + 1);
    return options_.learning_rate * std::pow(options_.factor, cuts) * warmed_up(step, options_.warmup_steps);
  }

  void end_epoch() override { ++epochs_; }

  std::vector<double> state() const override { return {static_cast<double>(epochs_)}; }

  void restore(std::span<const double> state) override {
    if (state.size() != 1 || !(state[0] >= 0 && state[0] <= kMostEpochs)) {
      throw ModelFileError(
          cat("schedule epoch-decay: ", state.size(), " values of state, expected the number of epochs"));
    }
    epochs_ = static_cast<Index>(state[0]);
  }

 private:
  static constexpr double kMostEpochs = 1e12;

  ScheduleOptions options_;
  Index epochs_ = 0;  // finished
};

template <class S>
std::unique_ptr<Schedule> make(const ScheduleOptions& options) {
  return std::make_unique<S>(options);
}

constexpr auto kSchedules = std::to_array<ScheduleEntry>({
    {"constant", "", make<Constant>},
    {"inverse-sqrt", "[vaswani2017] eq. 3", make<InverseSqrt>},
    {"cosine", "[loshchilov2017] eq. 5, one cycle", make<Cosine>},
    {"plateau", "PyTorch's ReduceLROnPlateau", make<Plateau>},
    {"epoch-decay", "[luong2015] section 4.1", make<EpochDecay>},
});

}  // namespace

void Schedule::restore(std::span<const double> state) {
  if (!state.empty()) throw ModelFileError(cat("schedule: ", state.size(), " values of state, expected none"));
}

std::span<const ScheduleEntry> schedules() { return kSchedules; }

std::unique_ptr<Schedule> make_schedule(std::string_view name, const ScheduleOptions& options) {
  if (!(options.learning_rate > 0 && std::isfinite(options.learning_rate))) {
    throw ConfigError(cat("schedule: learning-rate is ", options.learning_rate, ", expected more than 0"));
  }
  if (options.warmup_steps < 0) {
    throw ConfigError(cat("schedule: warmup-steps is ", options.warmup_steps, ", expected at least 0"));
  }
  if (!(options.final_rate >= 0 && options.final_rate <= options.learning_rate)) {
    throw ConfigError(
        cat("schedule: final-rate is ", options.final_rate, ", expected 0 to learning-rate, ", options.learning_rate));
  }
  return entry_named("schedule", schedules(), name).make(options);
}

double vaswani_peak(Index hidden, Index warmup_steps, double scale) {
  return scale / std::sqrt(static_cast<double>(hidden) * static_cast<double>(warmup_steps));
}

}  // namespace dhyan
