#include <dhyan/training.h>
#include <exception>
#include <iterator>
#include <mutex>
#include <utility>

#include "api/given_scores.h"
#include "api/settings.h"
#include "core/error.h"
#include "core/pluralize.h"
#include "runs/run_config.h"
#include "runs/training_run.h"

namespace dhyan::v1 {

namespace {

std::vector<NamedValue> values_of(std::span<const NamedScore> scores) {
  std::vector<NamedValue> values;
  for (const NamedScore& score : scores) values.push_back({score.name, score.value});
  return values;
}

// Tells the caller of each event; remembers that he asked for the end, and what his functions threw.
class Reporter final : public RunObserver {
 public:
  explicit Reporter(const TrainOptions& options) : options_(options) {}

  void on_note(const std::string& text) override { tell({.kind = TrainingReport::Kind::kNote, .text = text}); }
  void on_interval(const IntervalEvent& event) override {
    TrainingReport report = at(TrainingReport::Kind::kSteps, event.at);
    report.loss = event.loss;
    report.learning_rate = event.learning_rate;
    report.tokens_per_second = event.tokens_per_second;
    tell(report);
  }
  void on_validation(const ValidationEvent& event) override {
    TrainingReport report = at(TrainingReport::Kind::kValidation, event.at);
    report.values = values_of(event.metrics);
    if (!report.values.empty()) report.loss = report.values.front().value;
    report.best = event.best;
    tell(report);
  }
  void on_saved(const Moment& moment) override { tell(at(TrainingReport::Kind::kSaved, moment)); }

  // Whether the caller has asked for the end.
  bool stopped() {
    const std::scoped_lock lock(mutex_);
    return stopped_;
  }

  // Called by the threads of the training, between its events, too.
  void poll() {
    if (!options_.poll) return;
    try {
      options_.poll();
    } catch (...) {
      keep_failure();
      throw;
    }
  }

  void rethrow_failure() {
    const std::scoped_lock lock(mutex_);
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  static TrainingReport at(TrainingReport::Kind kind, const Moment& moment) {
    return {.kind = kind, .step = moment.step, .epochs = moment.epochs, .done = moment.done, .seconds = moment.seconds};
  }

  void tell(const TrainingReport& report) {
    if (!options_.report || stopped()) return;
    bool go_on = false;
    try {
      go_on = options_.report(report);
    } catch (...) {
      keep_failure();
    }
    if (go_on) return;
    const std::scoped_lock lock(mutex_);
    stopped_ = true;
  }

  void keep_failure() {
    const std::scoped_lock lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
  }

  const TrainOptions& options_;
  std::mutex mutex_;
  bool stopped_ = false;
  std::exception_ptr failure_;
};

RunSettings settings_of(const TrainOptions& options, const AttentionTables& tables) {
  RunSettings settings{.preset = options.preset,
                       .folder = options.folder,
                       .resume = options.existing == ExistingModel::kResume,
                       .tables = tables};
  std::vector<Setting> given;
  if (!options.train.empty()) given.push_back({"train", options.train});
  if (!options.valid.empty()) given.push_back({"valid", options.valid});
  given.insert(given.end(), options.more.begin(), options.more.end());
  settings.settings = api::settings_of("train", given);
  return settings;
}

Existing existing_of(ExistingModel existing) {
  switch (existing) {
    case ExistingModel::kRefuse:
      return Existing::kRefuse;
    case ExistingModel::kOverwrite:
      return Existing::kOverwrite;
    case ExistingModel::kResume:
      return Existing::kResume;
  }
  return Existing::kRefuse;
}

const char* name_of(Ended ended) {
  switch (ended) {
    case Ended::kEpochs:
      return "max-epochs";
    case Ended::kSteps:
      return "max-steps";
    case Ended::kMinutes:
      return "max-minutes";
    case Ended::kPatience:
      return "patience";
    case Ended::kSchedule:
      return "total-steps";
    case Ended::kNotFinite:
    case Ended::kOnRequest:
      break;
  }
  return "report";
}

}  // namespace

TrainingResult train(const TrainOptions& options) {
  if (options.folder.empty()) throw UsageError("train: folder is empty, expected the folder of the model");
  for (const ScoreFunction& score : options.scores) {
    if (!score.backward) throw UsageError(cat("train: score '", score.name, "' has no backward, which training needs"));
  }
  const api::GivenScores scores(options.scores);
  const Config config = run_config(settings_of(options, scores.tables()));
  check(config);
  Reporter reporter(options);
  TrainingRun run(config,
                  {.folder = options.folder,
                   .existing = existing_of(options.existing),
                   .threads = api::threads_of(options.threads),
                   .poll = [&reporter] { reporter.poll(); }},
                  reporter);
  reporter.rethrow_failure();
  const Ended ended = run.run([&reporter] { return reporter.stopped(); });
  reporter.rethrow_failure();
  if (ended == Ended::kNotFinite) {
    throw Error(cat("train: the gradients of ",
                    pluralize(static_cast<std::uint64_t>(run.state().skipped_in_a_row), "step"),
                    " in a row, up to step ", run.state().step, ", are NaN or infinite; the last saved state is in ",
                    options.folder.string()));
  }
  return {.steps = run.state().step, .ended = name_of(ended), .held_out = values_of(run.facts().held_out)};
}

}  // namespace dhyan::v1
