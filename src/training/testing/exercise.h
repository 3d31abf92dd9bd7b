#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/testing/temporary_folder.h"
#include "data/testing/number_corpus.h"
#include "kernels/simd/runtime.h"
#include "models/recurrent_model.h"
#include "training/trainer.h"

namespace dhyan {

// For tests of the trainer: a corpus of numbers, a recorder of events, and a training in its own folder.
inline constexpr Index kExerciseVocabulary = 40;

// A corpus in which each number is translated to the next number.
inline std::vector<SentencePair> successors(int count, std::uint64_t seed) {
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

inline TrainingOptions small_options() {
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

// A training of a tiny model in its own folder.
struct Exercise {
  explicit Exercise(const TrainingOptions& training, int threads = 2, std::uint64_t corpus = 1)
      : options(training), pool(kernels::make_thread_pool(threads)) {
    const NumberTokenizer source(1, kExerciseVocabulary), target(2, kExerciseVocabulary);
    FakePairs pairs(successors(60, corpus));
    build_token_cache(folder.path("cache"), pairs, corpus, {.source = &source, .target = &target});
    cache = std::make_shared<const TokenCache>(folder.path("cache"));
    batches = std::make_unique<BatchStream>(std::vector<TrainingCorpus>{{.cache = cache}},
                                            BatchOptions{.seed = options.seed, .limits = options.batch});
    RecurrentConfig config{{.source_vocabulary = kExerciseVocabulary, .target_vocabulary = kExerciseVocabulary}, {}};
    config.embedding = config.hidden = config.output_hidden = 8;
    config.dropout = 0.1;
    model = make_recurrent_model(config, Rng(options.seed));
    BatchStream held_out({{.cache = cache}}, {.seed = 99, .limits = options.batch});
    for (int i = 0; i < 2; ++i) validation.push_back(held_out.next());
    validate = [this] { return Validation{held_out_loss(*model, validation, pool)}; };
  }

  Trainer trainer() {
    return {{*model,
             *batches,
             static_cast<Index>(cache->info().counts.target_tokens),
             pool,
             validate,
             folder.path(),
             logs,
             {},
             ranks},
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

  const Ranks* ranks = nullptr;
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

}  // namespace dhyan
