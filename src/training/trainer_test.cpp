#include "training/trainer.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/temporary_folder.h"
#include "core/thrown.h"
#include "data/number_corpus.h"
#include "interop/safetensors.h"
#include "kernels/runtime.h"
#include "models/recurrent_model.h"

namespace dhyan {
namespace {

constexpr Index kVocabulary = 40;

// To be translated: each number becomes the next one.
std::vector<SentencePair> successors(int count, std::uint64_t seed) {
  std::vector<SentencePair> pairs;
  Rng rng(seed);
  for (int i = 0; i < count; ++i) {
    SentencePair pair;
    for (std::uint64_t words = 1 + rng.below(5); words > 0; --words) {
      const auto word = static_cast<int>(5 + rng.below(30));
      pair.source += cat(pair.source.empty() ? "" : " ", word);
      pair.target += cat(pair.target.empty() ? "" : " ", word + 1);
    }
    pairs.push_back(pair);
  }
  return pairs;
}

TrainingOptions small_options() {
  TrainingOptions options;
  options.schedule_settings = {.learning_rate = 0.01, .warmup_steps = 2, .patience = 0, .threshold = 0.2};
  options.batch = {.max_tokens = 60, .max_sentences = 100};
  options.max_epochs = 4;
  options.report_steps = 5;
  options.average = 3;
  return options;
}

struct Recorder final : TrainingObserver {
  void on_step(const StepEvent& event) override { steps.push_back(event); }
  void on_interval(const IntervalEvent& event) override { intervals.push_back(event); }
  void on_validation(const ValidationEvent& event) override {
    losses.push_back(event.metrics.front().value);
    best.push_back(event.best);
  }
  void on_average(const AverageEvent& event) override {
    averaged_loss = event.metrics.empty() ? 0 : event.metrics.front().value;
    average_taken = event.taken;
    averaged = event.checkpoints;
  }
  void on_saved(const Moment&) override { ++saved; }

  std::vector<StepEvent> steps;
  std::vector<IntervalEvent> intervals;
  std::vector<double> losses;
  std::vector<bool> best;
  double averaged_loss = 0;
  bool average_taken = false;
  Index averaged = 0;
  int saved = 0;
};

// A training of a tiny model, with a folder of its own.
struct Exercise {
  explicit Exercise(const TrainingOptions& training, int threads = 2, std::uint64_t corpus = 1)
      : options(training), pool(kernels::make_thread_pool(threads)) {
    const NumberTokenizer source(1, kVocabulary), target(2, kVocabulary);
    FakePairs pairs(successors(60, corpus));
    build_token_cache(folder.path("cache"), pairs, corpus, {.source = &source, .target = &target});
    cache = std::make_shared<const TokenCache>(folder.path("cache"));
    batches = std::make_unique<BatchStream>(std::vector<TrainingCorpus>{{.cache = cache}},
                                            BatchOptions{.seed = options.seed, .limits = options.batch});
    RecurrentConfig config{.source_vocabulary = kVocabulary, .target_vocabulary = kVocabulary};
    config.embedding = config.hidden = config.output_hidden = 8;
    config.dropout = 0.1;
    model = make_recurrent_model(config, Rng(options.seed));
    BatchStream held_out({{.cache = cache}}, {.seed = 99, .limits = options.batch});
    for (int i = 0; i < 2; ++i) validation.push_back(held_out.next());
    validate = [this] { return Validation{held_out_loss(*model, validation, pool)}; };
  }

  Trainer trainer() {
    return {
        {*model, *batches, static_cast<Index>(cache->info().counts.target_tokens), pool, validate, folder.path(), logs},
        options};
  }

  // As if the process died in the middle of step `after` + 1.
  void train_or_die(Index after) {
    Trainer trained = trainer();
    trained.run(recorder, [&]() -> bool {
      if (trained.state().step > after) throw std::runtime_error("killed");
      return false;
    });
  }

  Ended train(Index stop_after = -1) {
    Trainer trained = trainer();
    if (Trainer::can_resume(folder.path())) trained.resume();
    const Ended ended = trained.run(recorder, [&] { return trained.state().step == stop_after; });
    state = trained.state();
    return ended;
  }

  std::string weights() const { return folder.read("model.safetensors"); }

  TemporaryFolder folder;
  TrainingOptions options;
  ThreadPool pool;
  std::shared_ptr<const TokenCache> cache;
  std::unique_ptr<BatchStream> batches;
  std::unique_ptr<TranslationModel> model;
  std::vector<Batch> validation;
  std::function<Validation()> validate;
  std::vector<std::string> logs;
  Recorder recorder;
  TrainingState state;
};

TEST(Trainer, LearnsAndKeepsTheBestWeights) {
  TrainingOptions options = small_options();
  options.max_epochs = 30;
  options.average = 0;
  options.schedule = "constant";
  options.schedule_settings.learning_rate = 0.03;
  Exercise run(options);
  EXPECT_EQ(run.train(), Ended::kEpochs);
  ASSERT_EQ(run.recorder.losses.size(), 30u);
  EXPECT_LT(run.recorder.losses.back(), 0.5 * run.recorder.losses.front());
  const double best = *std::ranges::min_element(run.recorder.losses);
  EXPECT_EQ(run.state.kept.best, (std::vector<Checkpoint>{{run.state.kept.best.front().step, best}}));
  EXPECT_EQ(run.validate().metrics.front().value, best) << "the model has the best weights in the end";
  load_parameters(run.folder.path("model.safetensors"), run.model->parameters());
  EXPECT_EQ(run.validate().metrics.front().value, best) << "and so has the file";
}

TEST(Trainer, GivesTheSameBytesOnAnyNumberOfThreads) {
  Exercise one(small_options(), 1), two(small_options(), 2), three(small_options(), 3);
  for (Exercise* run : {&one, &two, &three}) run->train();
  EXPECT_EQ(one.weights(), two.weights());
  EXPECT_EQ(one.weights(), three.weights());
  EXPECT_EQ(one.recorder.losses, three.recorder.losses);
}

TEST(Trainer, StoppedAndResumedEqualsNeverStopped) {
  for (const char* schedule : {"plateau", "epoch-decay"}) {
    TrainingOptions options = small_options();
    options.schedule = schedule;
    options.loss = {.label_smoothing = 0.1, .sampled = 0.2};
    options.schedule_settings.decay_after = 1;
    Exercise straight(options);
    straight.train();
    const Index last = straight.state.step;
    for (const Index stop : {Index{1}, last / 3, last / 2 + 1, last - 1}) {
      Exercise stopped(options);
      EXPECT_EQ(stopped.train(stop), Ended::kOnRequest);
      EXPECT_EQ(stopped.state.step, stop);
      Exercise resumed(options);  // another process: only the folder is the same
      std::filesystem::copy(
          stopped.folder.path(), resumed.folder.path(),
          std::filesystem::copy_options::recursive | std::filesystem::copy_options::overwrite_existing);
      EXPECT_EQ(resumed.train(), Ended::kEpochs);
      EXPECT_EQ(resumed.weights(), straight.weights()) << schedule << " stopped after " << stop;
      EXPECT_EQ(resumed.state.kept.best, straight.state.kept.best);
      EXPECT_EQ(resumed.state.position, straight.state.position);
      EXPECT_EQ(stopped.recorder.intervals.size() + resumed.recorder.intervals.size(),
                straight.recorder.intervals.size());
      EXPECT_EQ(resumed.recorder.intervals.back().loss, straight.recorder.intervals.back().loss);
    }
  }
}

TEST(Trainer, KeepsTheMovingAverageAndResumesIt) {
  TrainingOptions options = small_options();
  options.ema = 0.9;
  options.average = 0;
  Exercise straight(options), stopped(options);
  straight.train();
  options.ema = 0;
  Exercise plain(options);
  plain.train();
  EXPECT_NE(straight.weights(), plain.weights());
  EXPECT_NE(straight.recorder.losses, plain.recorder.losses) << "the average is what is validated";
  EXPECT_EQ(straight.validate().metrics.front().value, straight.state.kept.best.front().score) << "and what is kept";
  const Index last = straight.state.step;
  stopped.train(last / 2);
  stopped.train();
  EXPECT_EQ(stopped.weights(), straight.weights());
  EXPECT_EQ(straight.recorder.intervals.back().loss, plain.recorder.intervals.back().loss)
      << "training itself does not see it";
}

TEST(Trainer, LeavesAModelEvenIfStoppedBeforeTheFirstValidation) {
  Exercise run(small_options());
  run.train(1);
  EXPECT_TRUE(run.recorder.losses.empty());
  EXPECT_EQ(run.recorder.saved, 1);
  EXPECT_NO_THROW(load_parameters(run.folder.path("model.safetensors"), run.model->parameters()));
}

TEST(Trainer, SkipsAndCountsStepsWithoutNumbers) {
  Exercise run(small_options());
  Exercise plain(small_options());
  Parameter* table = nullptr;
  for (Parameter& parameter : run.model->parameters()) {
    if (parameter.value.shape() == Shape{kVocabulary, 8}) table = table == nullptr ? &parameter : table;
  }
  ASSERT_NE(table, nullptr);
  table->value.span()[7 * 8] = NAN;  // the word 7, in some batches
  run.train();
  plain.train();
  EXPECT_EQ(plain.state.skipped, 0);
  EXPECT_GT(run.state.skipped, 0);
  EXPECT_LT(run.state.skipped, run.state.step) << "the others are taken";
  Index not_numbers = 0;
  for (const Parameter& parameter : run.model->parameters()) {
    for (const Real weight : parameter.value.span()) not_numbers += std::isnan(weight);
  }
  EXPECT_EQ(not_numbers, 1) << "and nothing spreads";
}

TEST(Trainer, StopsAtTheNearestLimit) {
  TrainingOptions options = small_options();
  options.max_steps = 7;
  Exercise steps(options);
  EXPECT_EQ(steps.train(), Ended::kSteps);
  EXPECT_EQ(steps.state.step, 7);
  EXPECT_EQ(steps.state.validated_step, 7) << "the last weights have their chance";
  EXPECT_EQ(steps.recorder.steps.back().at.done, 1);

  options = small_options();
  options.max_minutes = 1e-9;
  Exercise minutes(options);
  EXPECT_EQ(minutes.train(), Ended::kMinutes);
  EXPECT_EQ(minutes.state.step, 1);

  options = small_options();
  options.patience = 2;
  options.max_epochs = 0;
  options.average = 0;
  Exercise patience(options);
  const std::vector<double> given{3, 2, 2.5, 2.1, 1};
  std::size_t validations = 0;
  patience.validate = [&] { return Validation{{{"loss", given.at(validations++)}}}; };
  EXPECT_EQ(patience.train(), Ended::kPatience);
  EXPECT_EQ(validations, 4u);
  EXPECT_EQ(patience.recorder.best, (std::vector<bool>{true, true, false, false}));
}

TEST(Trainer, ValidatesEverySoManySteps) {
  TrainingOptions options = small_options();
  options.validate_steps = 4;
  options.max_steps = 10;
  Exercise run(options);
  run.train();
  EXPECT_EQ(run.recorder.losses.size(), 3u) << "at 4, at 8 and in the end";
}

TEST(Trainer, ReportsIntervalsAndHowFarItHasCome) {
  Exercise run(small_options());
  run.train();
  const auto& steps = run.recorder.steps;
  ASSERT_EQ(run.recorder.intervals.size(), steps.size() / 5);
  const IntervalEvent& first = run.recorder.intervals.front();
  double nll = 0;
  Index tokens = 0;
  for (std::size_t i = 0; i < 5; ++i) {
    nll += steps[i].loss * static_cast<double>(steps[i].target_tokens);
    tokens += steps[i].target_tokens;
  }
  EXPECT_NEAR(first.loss, nll / static_cast<double>(tokens), 1e-9);
  EXPECT_NEAR(first.perplexity, std::exp(first.loss), 1e-9);
  EXPECT_EQ(first.learning_rate, 0.01);
  EXPECT_GT(first.gradient_norm, 0);
  EXPECT_GT(first.tokens_per_second, 0);
  EXPECT_TRUE(std::ranges::is_sorted(steps, {}, [](const StepEvent& event) { return event.at.done; }));
  EXPECT_EQ(steps.back().at.done, 1);
  EXPECT_EQ(steps.back().at.epochs, 4);
}

TEST(Trainer, TakesTheMeanOfTheBestOnlyIfItIsBetter) {
  for (const double mean : {0.5, 5.0}) {
    Exercise run(small_options());
    const std::vector<double> given{4, 2, 3, 1, mean};
    std::size_t validations = 0;
    run.validate = [&] { return Validation{{{"loss", given.at(validations++)}}}; };
    run.train();
    EXPECT_EQ(run.recorder.averaged_loss, mean);
    EXPECT_EQ(run.recorder.average_taken, mean < 1);
    ASSERT_EQ(run.state.kept.best.size(), 3u);
    EXPECT_EQ(run.state.kept.best.front().score, 1);
    EXPECT_EQ(run.state.kept.best.back().score, 3);
    // Each weight is the mean of those of the three files, or that of the best.
    const std::string name = std::prev(run.model->parameters().end())->name;
    const auto first_weight = [&](const std::string& file) {
      const SafetensorsFile opened(run.folder.path(file));
      return opened.read(*opened.find(name)).span()[0];
    };
    std::vector<Real> kept;
    double sum = 0;
    for (const Checkpoint& checkpoint : run.state.kept.best) {
      kept.push_back(first_weight(cat("training/step-", checkpoint.step, ".safetensors")));
      sum += kept.back();
    }
    EXPECT_EQ(first_weight("model.safetensors"), mean < 1 ? static_cast<Real>(sum / 3) : kept.front());
    EXPECT_NE(kept[0], kept[1]);
  }
}

TEST(Trainer, GoesOnAfterAMeanUntilSomethingIsBetterThanIt) {
  Exercise run(small_options());
  std::vector<double> given{4, 2, 3, 1, 0.5};  // the last is of the mean
  std::size_t validations = 0;
  run.validate = [&] { return Validation{{{"loss", given.at(validations++)}}}; };
  run.train();
  ASSERT_TRUE(run.recorder.average_taken);
  EXPECT_EQ(run.state.kept.mean, 0.5);
  const std::string mean = run.weights();

  given = {0.5};
  validations = 0;
  run.train();
  EXPECT_TRUE(run.recorder.average_taken) << "the same again";
  EXPECT_EQ(run.weights(), mean);

  run.options.max_epochs = 5;
  given = {0.75, 0.6};
  validations = 0;
  run.train();
  EXPECT_FALSE(run.recorder.best.back()) << "better than the checkpoints, and not than their mean";
  EXPECT_FALSE(run.recorder.average_taken);
  EXPECT_EQ(run.weights(), mean);

  run.options.max_epochs = 6;
  given = {0.25, 0.3};
  validations = 0;
  run.train();
  EXPECT_TRUE(run.recorder.best.back());
  EXPECT_EQ(run.state.kept.mean, std::nullopt);
  EXPECT_NE(run.weights(), mean);
}

TEST(Trainer, TakesTheMeanOfWhatThereIsWhereItWasNotAskedForAtFirst) {
  TrainingOptions options = small_options();
  options.average = 0;
  options.max_epochs = 2;
  Exercise run(options);
  std::vector<double> given{1, 2, 3, 4, 0.5};  // the best has no file of its own
  std::size_t validations = 0;
  run.validate = [&] { return Validation{{{"loss", given.at(validations++)}}}; };
  run.train();
  run.options.average = 3;
  run.options.max_epochs = 4;
  EXPECT_EQ(run.train(), Ended::kEpochs);
  EXPECT_TRUE(run.recorder.average_taken);
  EXPECT_EQ(run.recorder.averaged, 2);
  run.options.average = 2;
  run.options.max_epochs = 5;
  given = {2.5, 0.25};
  validations = 0;
  run.train();
  EXPECT_EQ(run.state.kept.best.size(), 2u) << "no more than there are to be";
}

TEST(Trainer, TakesTheLastWeightsWhereNothingIsHeldOut) {
  Exercise run(small_options());
  run.validate = nullptr;
  run.train();
  const std::string saved = run.weights();
  save_parameters(run.folder.path("last"), run.model->parameters());
  EXPECT_EQ(run.folder.read("last"), saved);
  EXPECT_TRUE(run.recorder.losses.empty());
}

TEST(Trainer, DoesNotResumeWhatIsNotItsOwn) {
  Exercise run(small_options());
  run.train(3);
  const auto resumed_by = [&](Exercise& other) {
    std::filesystem::create_directories(other.folder.path() / "training");
    other.folder.write("training/state.safetensors", run.folder.read("training/state.safetensors"));
    other.trainer().resume();
  };
  Exercise other_data(small_options(), 2, 7);
  EXPECT_THROW(resumed_by(other_data), ConfigError);

  TrainingOptions options = small_options();
  options.optimizer = "adadelta";
  Exercise other_optimizer(options);
  EXPECT_THROW(resumed_by(other_optimizer), ModelFileError);
}

TEST(Trainer, CanBeResumedFromBeforeTheFirstStep) {
  Exercise killed(small_options()), straight(small_options());
  EXPECT_THROW(killed.train_or_die(0), std::runtime_error);
  EXPECT_TRUE(Trainer::can_resume(killed.folder.path()));
  killed.train();
  straight.train();
  EXPECT_EQ(killed.weights(), straight.weights());
}

TEST(Trainer, SavesEverySoManyStepsAndGoesOnFromThere) {
  TrainingOptions options = small_options();
  options.save_steps = 3;
  options.keep_last = 2;
  Exercise killed(options), straight(options);
  EXPECT_THROW(killed.train_or_die(7), std::runtime_error);
  EXPECT_EQ(read_training_state(state_file(killed.folder.path())).step, 6);
  killed.train();
  straight.train();
  EXPECT_EQ(killed.weights(), straight.weights());
  EXPECT_EQ(killed.state.kept, straight.state.kept);
  ASSERT_EQ(straight.state.kept.last.size(), 2u);
  for (const auto& file : files_of_last(straight.folder.path(), straight.state.kept)) {
    EXPECT_TRUE(std::filesystem::exists(file)) << file;
  }
}

TEST(Trainer, CutsLogsBackToWhatTheyWereWhenTheStateWasSaved) {
  Exercise run(small_options());
  run.logs = {"log"};
  run.folder.write("log", "before\n");
  run.train(3);
  run.folder.write("log", "before\nafter\n");
  run.train(4);
  EXPECT_EQ(run.folder.read("log"), "before\n");
}

TEST(Trainer, GoesByTheMetricOfItsChoice) {
  TrainingOptions options = small_options();
  options.average = 0;
  options.max_epochs = 0;
  options.stop_on = "bleu";
  options.patience = 2;
  options.keep_best = {"loss"};
  Exercise run(options);
  const std::vector<double> bleu{10, 30, 20, 25};
  std::size_t validations = 0;
  run.validate = [&] {
    const std::size_t at = validations++;
    return Validation{{{"loss", 5 - static_cast<double>(at)}, {"bleu", bleu.at(at)}}};
  };
  EXPECT_EQ(run.train(), Ended::kPatience);
  EXPECT_EQ(run.recorder.best, (std::vector<bool>{true, true, false, false}));
  EXPECT_EQ(run.state.kept.best.front().score, 30);
  EXPECT_EQ(run.state.kept.records, (std::vector<NamedScore>{{"loss", 2}}));
  EXPECT_NE(run.folder.read("model-best-loss.safetensors"), run.weights());
  run.options.stop_on = "loss";
  EXPECT_THROW(run.trainer().resume(), ConfigError) << "the best so far are so by another metric";
}

TEST(Trainer, TakesTheMeanOfTheLastWhereNothingIsHeldOut) {
  TrainingOptions options = small_options();
  options.average_of = AverageOf::kLast;
  Exercise run(options);
  run.validate = nullptr;
  run.train();
  EXPECT_TRUE(run.recorder.average_taken);
  const std::string mean = run.weights();
  load_mean(files_of_last(run.folder.path(), run.state.kept), run.model->parameters());
  save_parameters(run.folder.path("mean"), run.model->parameters());
  EXPECT_EQ(run.folder.read("mean"), mean);
  EXPECT_EQ(run.state.kept.last.size(), 3u);
}

TEST(Trainer, HaltsWhereThereAreNoNumbersAnyMore) {
  TrainingOptions options = small_options();
  options.max_skipped = 3;
  options.save_steps = 2;
  Exercise sick(options);
  Trainer trainer = sick.trainer();
  const auto break_after_four = [&] {
    if (trainer.state().step != 4) return false;
    for (const Parameter& weight : sick.model->parameters()) weight.value.fill(NAN);
    return false;
  };
  EXPECT_EQ(trainer.run(sick.recorder, break_after_four), Ended::kNotFinite);
  EXPECT_EQ(trainer.state().step, 7);
  EXPECT_EQ(read_training_state(state_file(sick.folder.path())).step, 4) << "what was saved before";
  load_parameters(sick.folder.path("model.safetensors"), sick.model->parameters());
  EXPECT_TRUE(std::isfinite(sick.validate().metrics.front().value));
}

TEST(Trainer, SavesNothingOnRequestWhileStepsAreSkipped) {
  Exercise sick(small_options());
  for (const Parameter& weight : sick.model->parameters()) weight.value.fill(NAN);
  EXPECT_EQ(sick.train(2), Ended::kOnRequest);
  EXPECT_EQ(sick.recorder.saved, 0);
  EXPECT_EQ(read_training_state(state_file(sick.folder.path())).step, 0);
}

TEST(Trainer, ReportsHowFarWeightsMove) {
  TrainingOptions options = small_options();
  options.schedule = "constant";
  Exercise slow(options);
  slow.train();
  options.schedule_settings.learning_rate *= 3;
  Exercise fast(options);
  fast.train();
  const double few = slow.recorder.intervals.front().update_ratio, many = fast.recorder.intervals.front().update_ratio;
  EXPECT_GT(few, 0);
  EXPECT_GT(many, 2 * few);
  EXPECT_LT(many, 0.5);
}

// Empty if a training goes on from its saved state after `change` was done to the metadata; otherwise what it says.
std::string resumed_after(Exercise& run, const std::function<void(Metadata&)>& change) {
  const std::string path = run.folder.path("training/state.safetensors");
  std::vector<NamedTensor> tensors;
  Metadata metadata;
  {
    const SafetensorsFile file(path);
    for (const TensorEntry& entry : file.entries()) tensors.push_back({entry.name, file.read(entry)});
    metadata = file.metadata();
  }
  const Metadata good = metadata;
  change(metadata);
  save_tensors(path, tensors, metadata);
  std::string refusal;
  try {
    run.trainer().resume();
  } catch (const ModelFileError& error) {
    refusal = std::string(error.what()).substr(path.size());
  }
  save_tensors(path, tensors, good);
  return refusal;
}

TEST(Trainer, DoesNotBelieveAStateThatWasTamperedWith) {
  Exercise run(small_options());
  run.train(3);
  EXPECT_EQ(resumed_after(run, [](Metadata&) {}), "");
  EXPECT_EQ(resumed_after(run, [](Metadata& state) { state["step"] = "x"; }),
            ": 'step' is 'x', which is no state of training");
  EXPECT_EQ(resumed_after(run, [](Metadata& state) { state.erase("step"); }), ": 'step' is missing");
  EXPECT_EQ(resumed_after(run, [](Metadata& state) { state["best"] = "7"; }),
            ": 'best' is '7', which is no state of training");
  EXPECT_EQ(resumed_after(run, [](Metadata& state) { state["logs"] = "train.log"; }),
            ": 'logs' is 'train.log', which is no state of training");
  for (const std::string length : {"-1", "nan", "inf", "1e300"}) {
    EXPECT_EQ(resumed_after(run, [&](Metadata& state) { state["logs"] = "log " + length; }),
              cat(": 'logs' is 'log ", length == "1e300" ? "1e+300" : length, "', which is no state of training"));
  }
  EXPECT_EQ(
      resumed_after(run, [](Metadata& state) { state.erase("logs"), state.erase("metric"), state.erase("mean"); }), "")
      << "older versions have no such fields";
}

TEST(Trainer, CutsNoFileBackButItsOwnLogs) {
  Exercise run(small_options());
  run.logs = {"log"};
  run.folder.write("log", "mine\n");
  run.train(3);
  const TemporaryFolder elsewhere;
  const std::string absolute = elsewhere.write("letter", "dear\n");
  run.folder.write("letter", "dear\n");
  run.folder.write("log", "mine\nlater\n");
  EXPECT_EQ(resumed_after(run, [&](Metadata& state) { state["logs"] = absolute + " 0 training/../letter 0 log 2"; }),
            "");
  EXPECT_EQ(elsewhere.read("letter"), "dear\n");
  EXPECT_EQ(run.folder.read("letter"), "dear\n");
  EXPECT_EQ(run.folder.read("log"), "mi");
}

TEST(HeldOutLoss, IsTheMeanOverTokensOfAllBatches) {
  Exercise run(small_options());
  double nll = 0;
  std::size_t tokens = 0;
  for (const Batch& batch : run.validation) {
    Arena arena;
    Scope scope(arena);
    nll += run.model->loss(scope, batch).nll;
    tokens += batch.target.size();
  }
  const std::vector<NamedScore> metrics = run.validate().metrics;
  EXPECT_EQ(metrics[0], (NamedScore{"loss", nll / static_cast<double>(tokens)}));
  EXPECT_EQ(metrics[1], (NamedScore{"perplexity", std::exp(metrics[0].value)}));
  EXPECT_THROW(held_out_loss(*run.model, {}, run.pool), DataError);
}

}  // namespace
}  // namespace dhyan
