#include "training/trainer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "core/file.h"
#include "distributed/message_bytes.h"
#include "training/rank_exchange.h"

namespace dhyan {

namespace {

namespace fs = std::filesystem;

// Adds the duration of a scope to `seconds`.
class Stopwatch {
 public:
  explicit Stopwatch(double& seconds) : seconds_(seconds) {}
  ~Stopwatch() { seconds_ += std::chrono::duration<double>(Clock::now() - start_).count(); }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  double& seconds_;
  Clock::time_point start_ = Clock::now();
};

CheckpointRules rules_of(const TrainingOptions& options) {
  const bool mean_of_best = options.average_of == AverageOf::kBest;
  return {.metric = options.stop_on,
          .best = mean_of_best ? options.average : 1,
          .last = std::max(options.keep_last, mean_of_best ? 0 : options.average),
          .record_metrics = options.keep_best};
}

// Truncates a log that grew after the state was saved; a shorter one is left as it is.
void cut_back(const fs::path& log, std::uintmax_t bytes) {
  std::error_code failed;
  const std::uintmax_t now = fs::file_size(log, failed);
  if (!failed && now > bytes) fs::resize_file(log, bytes);
}

}  // namespace

Trainer::Trainer(const TrainingTask& task, const TrainingOptions& options)
    : task_(task),
      options_(options),
      step_(task.model, task.pool, options_, task.ranks),
      schedule_(make_schedule(options.schedule, options.schedule_settings)),
      checkpoints_(task.folder, rules_of(options),
                   uses_files() ? Checkpoints::Writes::kFiles : Checkpoints::Writes::kNothing) {
  if (task.ranks != nullptr) task_.poll = {};  // a rank cannot leave a step alone
  state_.position = task.batches.position();
  state_.metric = options.stop_on;
}

bool Trainer::can_resume(const fs::path& folder) { return fs::exists(state_file(folder)); }

void Trainer::resume() {
  TrainingState saved = load_training_state(state_file(task_.folder), tensors(), task_.poll);
  if (saved.metric != options_.stop_on) {
    throw ConfigError(cat("stop-on is ", options_.stop_on, "; the training so far used ", saved.metric));
  }
  schedule_->restore(saved.schedule);
  task_.batches.seek(saved.position);
  state_ = std::move(saved);
  if (!uses_files()) return;
  for (const std::string& log : task_.logs) {  // the saved state is not trusted: it may name any file
    const auto saved = std::ranges::find(state_.logs, log, &NamedScore::name);
    if (saved != state_.logs.end()) cut_back(task_.folder / log, static_cast<std::uintmax_t>(saved->value));
  }
}

Ended Trainer::run(TrainingObserver& observer, const std::function<bool()>& stop) {
  if (uses_files()) {
    fs::create_directories(state_folder(task_.folder));
    remove_leftovers(task_.folder);  // files of a training that was killed
    remove_leftovers(state_folder(task_.folder));
  }
  if (state_.step == 0) {
    // The state first: if the disk is full, no weights remain that would look like a model.
    save_state();
    save_model();
  }
  try {
    return train(observer, stop);
  } catch (const StopTraining&) {
    save_stopped(observer);
    return Ended::kOnRequest;
  }
}

Ended Trainer::train(TrainingObserver& observer, const std::function<bool()>& stop) {
  if (state_.validation_due != 0) {
    validation_due_ = true;
    validate_and_save(false, observer);
  }
  std::optional<Ended> ended = limit_reached();
  while (!ended) {
    const std::uint64_t epoch = state_.position.epoch;
    const StepResult result = take_step();
    const bool epoch_over = state_.position.epoch != epoch;
    if (epoch_over) state_.epoch_tokens = 0;
    for (std::uint64_t over = epoch; over < state_.position.epoch; ++over) schedule_->end_epoch();
    record(result, observer);
    if (options_.max_skipped > 0 && state_.skipped_in_a_row >= options_.max_skipped) return Ended::kNotFinite;
    validate_and_save(epoch_over, observer);
    const bool stopped = agreed_to_stop(stop);
    ended = limit_reached();
    if (!ended && stopped) {
      save_stopped(observer);
      return Ended::kOnRequest;
    }
  }
  finish(observer);
  return *ended;
}

// All ranks go on, or none; and all read the clock of rank 0.
bool Trainer::agreed_to_stop(const std::function<bool()>& stop) {
  if (task_.ranks == nullptr) return !limit_reached() && stop();
  MessageWriter own;
  own.number(static_cast<std::uint8_t>(stop()));
  own.number(state_.seconds);
  bool stopped = false;
  const std::vector<Bytes> all = communicator()->all_gather(own.take());
  for (auto of_rank = all.rbegin(); of_rank != all.rend(); ++of_rank) {  // rank 0 last
    MessageReader reader(*of_rank);
    stopped |= reader.number<std::uint8_t>() != 0;
    state_.seconds = reader.number<double>();
  }
  return stopped;
}

// An interrupted validation is still due. The average of checkpoints is not part of the training state, which is saved
// before it is computed.
void Trainer::save_stopped(TrainingObserver& observer) {
  if (averaging_ || state_.skipped_in_a_row > 0) return;
  state_.validation_due = validation_due_ ? 1 : 0;
  save(observer);
}

// Not while steps are skipped, because their weights may be unusable: validations and saves wait for the next good
// step.
void Trainer::validate_and_save(bool epoch_over, TrainingObserver& observer) {
  validation_due_ |= time_to_validate(epoch_over);
  save_due_ |= validation_due_ || (options_.save_steps > 0 && state_.step % options_.save_steps == 0);
  if (state_.skipped_in_a_row > 0) return;
  if (validation_due_) validate(observer);
  validation_due_ = false;
  state_.validation_due = 0;
  if (save_due_) {
    keep_last();
    save(observer);
  }
  save_due_ = false;
}

StepResult Trainer::take_step() {
  const Stopwatch total(state_.seconds), interval(state_.interval.seconds);
  const Index number = state_.step + 1;
  const StepResult result = step_.take(task_.batches,
                                       {.number = number,
                                        .learning_rate = schedule_->rate(number),
                                        .measure_update = number % options_.report_steps == 0},
                                       task_.poll);
  state_.step = number;  // last: an abandoned step does not count
  state_.skipped += result.finite() ? 0 : 1;
  state_.skipped_in_a_row = result.finite() ? 0 : state_.skipped_in_a_row + 1;
  state_.epoch_tokens += result.target_tokens;
  state_.position = task_.batches.position();
  return result;
}

void Trainer::record(const StepResult& result, TrainingObserver& observer) {
  const auto predictions = static_cast<double>(std::max<Index>(1, result.predictions));
  observer.on_step({moment(), result.nll / predictions, result.target_tokens});
  IntervalSums& sums = state_.interval;
  if (result.finite()) {
    ++sums.steps;
    sums.target_tokens += result.target_tokens;
    sums.predictions += result.predictions;
    sums.nll += result.nll;
    sums.gradient_norm += result.gradient_norm;
    sums.update_ratio = result.update_ratio;
  }
  if (state_.step % options_.report_steps == 0) report_interval(observer);
}

void Trainer::report_interval(TrainingObserver& observer) {
  const IntervalSums& sums = state_.interval;
  const double loss = sums.nll / static_cast<double>(sums.predictions);
  IntervalEvent event{.at = moment(),
                      .loss = loss,
                      .perplexity = std::exp(loss),
                      .learning_rate = schedule_->rate(state_.step),
                      .gradient_norm = sums.gradient_norm / static_cast<double>(sums.steps),
                      .update_ratio = sums.update_ratio,
                      .tokens_per_second = static_cast<double>(sums.target_tokens) / sums.seconds,
                      .skipped = state_.skipped};
  state_.interval = {};
  observer.on_interval(event);
}

TrainingStep::Memory Trainer::measure_memory() {
  const TrainingStep::Memory memory = step_.measure(task_.batches.next(), task_.poll);
  task_.batches.seek(state_.position);
  return memory;
}

bool Trainer::time_to_validate(bool epoch_over) const {
  if (options_.validate_steps > 0) return state_.step % options_.validate_steps == 0;
  return epoch_over && state_.position.epoch % static_cast<std::uint64_t>(options_.validate_epochs) == 0;
}

void Trainer::validate(TrainingObserver& observer) {
  const Stopwatch total(state_.seconds);
  const UseAverage used(step_.average(), weights());
  const Validation found = task_.validate ? task_.validate() : Validation{};
  state_.validated_step = state_.step;
  if (!task_.validate) return checkpoints_.save_model(weights());
  schedule_->observe(cost_of(validation_metric(options_.stop_on), value_of(found.metrics, options_.stop_on)));
  const bool best = checkpoints_.add_validated(state_.kept, state_.step, found.metrics, weights());
  state_.waited = best ? 0 : state_.waited + 1;
  observer.on_validation({moment(), found.metrics, best, found.samples});
}

void Trainer::keep_last() {
  const UseAverage used(step_.average(), weights());
  checkpoints_.add_last(state_.kept, state_.step, weights());
}

void Trainer::save(TrainingObserver& observer) {
  if (state_.kept.best.empty()) save_model();
  save_state();
  checkpoints_.forget_others(state_.kept);
  observer.on_saved(moment());
}

void Trainer::save_model() {
  const UseAverage used(step_.average(), weights());
  checkpoints_.save_model(weights());
}

void Trainer::save_state() {
  state_.schedule = schedule_->state();
  state_.logs.clear();
  for (const std::string& log : uses_files() ? task_.logs : std::vector<std::string>()) {
    std::error_code failed;
    const std::uintmax_t bytes = fs::file_size(task_.folder / log, failed);
    state_.logs.push_back({log, failed ? 0 : static_cast<double>(bytes)});
  }
  save_training_state(state_file(task_.folder), state_, tensors());
}

// Saves the state of the last step, so that training can continue with other limits, and the best weights as the model.
void Trainer::finish(TrainingObserver& observer) {
  if (state_.validated_step != state_.step) {
    validate(observer);
    keep_last();
  }
  save(observer);
  if (options_.average > 1) try_average(observer);
  if (uses_files()) checkpoints_.load_model(weights());
}

// Checkpoints from before --average was set may have no files.
std::vector<fs::path> Trainer::files_to_average() const {
  const bool of_best = options_.average_of == AverageOf::kBest;
  std::vector<fs::path> files =
      of_best ? files_of_best(task_.folder, state_.kept) : files_of_last(task_.folder, state_.kept);
  std::erase_if(files, [](const fs::path& file) { return !fs::exists(file); });
  if (std::ssize(files) > options_.average) {
    if (of_best) {
      files.resize(static_cast<std::size_t>(options_.average));
    } else {
      files.erase(files.begin(), files.end() - options_.average);
    }
  }
  return files;
}

// Returns their number; 0 if there are too few for a mean.
Index Trainer::load_mean_of_files() {
  std::vector<fs::path> files;
  if (uses_files()) files = files_to_average();
  auto count = static_cast<Index>(files.size());
  if (task_.ranks != nullptr) {
    MessageWriter message;
    message.number(count);
    const Bytes bytes = communicator()->broadcast(message.take());
    count = MessageReader(bytes).number<Index>();
  }
  if (count < 2) return 0;
  averaging_ = true;
  if (uses_files()) load_mean(files, weights(), task_.poll);
  if (task_.ranks != nullptr) take_weights_of_first(*communicator(), weights());
  return count;
}

// Without held-out data the average is always taken.
void Trainer::try_average(TrainingObserver& observer) {
  const Index files = load_mean_of_files();
  if (files == 0) return;
  const Validation found = task_.validate ? task_.validate() : Validation{};
  const ValidationMetric& metric = validation_metric(options_.stop_on);
  const KeptCheckpoints& kept = state_.kept;
  const auto cost = [&](double score) { return cost_of(metric, score); };
  std::optional<double> score;
  if (!kept.best.empty()) score = value_of(found.metrics, metric.name);
  // A training that is resumed at its end takes its average again.
  const bool better =
      !score || (cost(*score) < cost(kept.best.front().score) && (!kept.mean || cost(*score) <= cost(*kept.mean)));
  if (better) take_mean(score);
  observer.on_average({files, found.metrics, better});
}

// The state, with the weights of training, is saved before observers get the event of the average: they get it again
// after a resume.
void Trainer::take_mean(std::optional<double> score) {
  checkpoints_.save_model(weights());
  load_training_state(state_file(task_.folder), tensors());
  state_.kept.mean = score;
  save_state();
}

std::optional<Ended> Trainer::limit_reached() const {
  const auto reached = [](double limit, double value) { return limit > 0 && value >= limit; };
  if (reached(static_cast<double>(options_.max_steps), static_cast<double>(state_.step))) return Ended::kSteps;
  if (reached(static_cast<double>(options_.max_epochs), static_cast<double>(state_.position.epoch))) {
    return Ended::kEpochs;
  }
  if (reached(static_cast<double>(options_.patience), static_cast<double>(state_.waited))) return Ended::kPatience;
  if (reached(options_.max_minutes, state_.seconds / 60)) return Ended::kMinutes;
  if (state_.step >= schedule_->last_step().value_or(std::numeric_limits<Index>::max())) return Ended::kSchedule;
  return std::nullopt;
}

Moment Trainer::moment() const {
  constexpr double kNearlyAll = 0.999;
  const double share =
      static_cast<double>(state_.epoch_tokens) / std::max(1.0, static_cast<double>(task_.epoch_tokens));
  const double epochs = static_cast<double>(state_.position.epoch) + std::min(share, kNearlyAll);
  const auto towards = [](double limit, double value) { return limit > 0 ? std::min(1.0, value / limit) : 0.0; };
  const double done =
      std::max({towards(static_cast<double>(options_.max_steps), static_cast<double>(state_.step)),
                towards(static_cast<double>(options_.max_epochs), epochs),
                towards(static_cast<double>(schedule_->last_step().value_or(0)), static_cast<double>(state_.step)),
                towards(options_.max_minutes, state_.seconds / 60)});
  return {state_.step, epochs, done, state_.seconds};
}

}  // namespace dhyan
