#include "training/trainer.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/error.h"
#include "interop/safetensors.h"
#include "ops/arithmetic.h"
#include "training/gradients.h"

namespace dhyan {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kNoiseStream = 16;  // of the seed; the data has others

fs::path model_file(const fs::path& folder) { return folder / "model.safetensors"; }
fs::path state_folder(const fs::path& folder) { return folder / "training"; }
fs::path state_file(const fs::path& folder) { return state_folder(folder) / "state.safetensors"; }

// Adds the time of a scope to a number.
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

}  // namespace

struct Trainer::StepResult {
  double nll = 0;
  double gradient_norm = 0;
  Index target_tokens = 0;
  Index predictions = 0;  // tokens the loss is of; fewer than there are where some are given
};

Trainer::Trainer(const TrainingTask& task, const TrainingOptions& options)
    : task_(task),
      options_(options),
      optimizer_(make_optimizer(options.optimizer, task.model.parameters(), options.optimizer_settings)),
      schedule_(make_schedule(options.schedule, options.schedule_settings)),
      step_(task.model.parameters(), task.pool, options.shards),
      checkpoints_(model_file(task.folder), state_folder(task.folder), options.average) {
  if (options.ema != 0) average_ = std::make_unique<MovingAverage>(weights(), options.ema);
  state_.position = task.batches.position();
}

bool Trainer::can_resume(const fs::path& folder) { return fs::exists(state_file(folder)); }

void Trainer::resume() {
  TrainingState saved = load_training_state(state_file(task_.folder), tensors());
  schedule_->restore(saved.schedule);
  task_.batches.seek(saved.position);
  state_ = std::move(saved);
}

Ended Trainer::run(TrainingObserver& observer, const std::function<bool()>& stop) {
  fs::create_directories(state_folder(task_.folder));
  std::optional<Ended> ended = limit_reached();
  while (!ended) {
    const std::uint64_t epoch = state_.position.epoch;
    const StepResult result = take_step();
    const bool epoch_over = state_.position.epoch != epoch;
    if (epoch_over) {
      state_.epoch_tokens = 0;
      schedule_->end_epoch();
    }
    record(result, observer);
    if (options_.validate_steps > 0 ? state_.step % options_.validate_steps == 0 : epoch_over) {
      validate(observer);
      save(observer);
    }
    ended = limit_reached();
    if (!ended && stop()) {
      save(observer);
      return Ended::kOnRequest;
    }
  }
  finish(observer);
  return *ended;
}

// Forward, backward and update over one batch; the loss is the mean over what is predicted. Gradients that are not
// finite would spoil the weights for good: such a step changes nothing.
Trainer::StepResult Trainer::take_step() {
  const Stopwatch total(state_.seconds), interval(state_.interval.seconds);
  const Batch batch = task_.batches.next();
  const std::vector<Batch> shards = cut_into_shards(batch, options_.shards);
  StepResult result{.target_tokens = std::ssize(batch.target), .predictions = task_.model.predictions(batch)};
  std::vector<double> nll(shards.size());

  const Rng noise = Rng(options_.seed).split(kNoiseStream).split(static_cast<std::uint64_t>(state_.step));
  const Real per_token = Real(1) / static_cast<Real>(std::max<Index>(1, result.predictions));
  step_.run(noise, [&](Scope& scope, Index shard) {
    const auto at = static_cast<std::size_t>(shard);
    if (shards[at].sentences() == 0) return scope.constant(Tensor::zeros({}));
    const BatchLoss loss = task_.model.loss(scope, shards[at], options_.loss);
    nll[at] = loss.nll;
    return scale(loss.loss, per_token);  // []
  });
  for (const double of_shard : nll) result.nll += of_shard;

  GradientSet& gradients = step_.gradients();
  result.gradient_norm = options_.clip_norm > 0 ? clip_by_global_norm(gradients, options_.clip_norm, &task_.pool)
                                                : global_norm(gradients, &task_.pool);
  ++state_.step;
  if (std::isfinite(result.gradient_norm) && std::isfinite(result.nll)) {
    optimizer_->step(weights(), gradients, schedule_->rate(state_.step), &task_.pool);
    if (average_) average_->add(weights(), optimizer_->steps(), &task_.pool);
  } else {
    ++state_.skipped;
  }
  state_.epoch_tokens += result.target_tokens;
  state_.position = task_.batches.position();
  return result;
}

void Trainer::record(const StepResult& result, TrainingObserver& observer) {
  const auto predictions = static_cast<double>(std::max<Index>(1, result.predictions));
  observer.on_step({moment(), result.nll / predictions, result.target_tokens});
  IntervalSums& sums = state_.interval;
  if (std::isfinite(result.gradient_norm) && std::isfinite(result.nll)) {
    ++sums.steps;
    sums.target_tokens += result.target_tokens;
    sums.predictions += result.predictions;
    sums.nll += result.nll;
    sums.gradient_norm += result.gradient_norm;
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
                      .tokens_per_second = static_cast<double>(sums.target_tokens) / sums.seconds,
                      .skipped = state_.skipped};
  state_.interval = {};
  observer.on_interval(event);
}

void Trainer::validate(TrainingObserver& observer) {
  const Stopwatch total(state_.seconds);
  state_.validated_step = state_.step;
  const UseAverage used(average_.get(), weights());
  if (!task_.validate) return save_parameters(model_file(task_.folder), weights());
  const std::vector<NamedScore> metrics = task_.validate();
  const double loss = metrics.front().value;
  schedule_->observe(loss);
  const bool best = checkpoints_.add(state_.best, {state_.step, loss}, weights());
  state_.waited = best ? 0 : state_.waited + 1;
  observer.on_validation({moment(), metrics, best});
}

void Trainer::save(TrainingObserver& observer) {
  if (state_.best.empty()) {
    const UseAverage used(average_.get(), weights());
    save_parameters(model_file(task_.folder), weights());
  }
  state_.schedule = schedule_->state();
  save_training_state(state_file(task_.folder), state_, tensors());
  checkpoints_.forget_others(state_.best);
  observer.on_saved(moment());
}

// The state is that of the last step, so that training can go on with other limits; the model is the best there was.
void Trainer::finish(TrainingObserver& observer) {
  if (state_.validated_step != state_.step) validate(observer);
  save(observer);
  if (options_.average > 1 && state_.best.size() > 1) try_average(observer);
  load_parameters(model_file(task_.folder), weights());
}

void Trainer::try_average(TrainingObserver& observer) {
  checkpoints_.average(state_.best, weights());
  const std::vector<NamedScore> metrics = task_.validate();
  const bool better = metrics.front().value < state_.best.front().loss;
  if (better) save_parameters(model_file(task_.folder), weights());
  observer.on_average({std::ssize(state_.best), metrics, better});
}

std::optional<Ended> Trainer::limit_reached() const {
  const auto reached = [](double limit, double value) { return limit > 0 && value >= limit; };
  if (reached(static_cast<double>(options_.max_steps), static_cast<double>(state_.step))) return Ended::kSteps;
  if (reached(static_cast<double>(options_.max_epochs), static_cast<double>(state_.position.epoch))) {
    return Ended::kEpochs;
  }
  if (reached(static_cast<double>(options_.patience), static_cast<double>(state_.waited))) return Ended::kPatience;
  if (reached(options_.max_minutes, state_.seconds / 60)) return Ended::kMinutes;
  return std::nullopt;
}

Moment Trainer::moment() const {
  constexpr double kNearlyAll = 0.999;
  const double share =
      static_cast<double>(state_.epoch_tokens) / std::max(1.0, static_cast<double>(task_.epoch_tokens));
  const double epochs = static_cast<double>(state_.position.epoch) + std::min(share, kNearlyAll);
  const auto towards = [](double limit, double value) { return limit > 0 ? std::min(1.0, value / limit) : 0.0; };
  const double done = std::max({towards(static_cast<double>(options_.max_steps), static_cast<double>(state_.step)),
                                towards(static_cast<double>(options_.max_epochs), epochs),
                                towards(options_.max_minutes, state_.seconds / 60)});
  return {state_.step, epochs, done, state_.seconds};
}

}  // namespace dhyan
