#include "runs/training_run.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "config/model_kinds.h"
#include "core/error.h"
#include "core/file.h"
#include "core/number_text.h"
#include "core/table.h"
#include "distributed/handshake.h"
#include "interop/checksum.h"
#include "interop/parameter_file.h"
#include "kernels/simd/runtime.h"
#include "runs/learn_tokenizers.h"
#include "runs/readme.h"
#include "runs/swapped_sides.h"
#include "runs/tensorboard_log.h"
#include "runs/training_languages.h"
#include "training/freeze.h"
#include "training/rank_exchange.h"

namespace dhyan {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kWeightStream = 17;  // of the seed; data and trainer use other streams

// A training may be resumed in another working directory, so the config has absolute paths.
void make_absolute(std::span<std::string> files) {
  for (std::string& file : files) {
    if (!file.empty()) file = fs::absolute(file).lexically_normal().string();
  }
}

// "encoder.0.W, encoder.0.b and 12 more"
std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i) text += cat(i == 0 ? "" : ", ", names[i]);
  return names.size() > kMost ? cat(text, " and ", names.size() - kMost, " more") : text;
}

// Without its adapters the model to start from would be another one.
void expect_no_lost_adapters(const std::string& folder, const Matched& taken) {
  const auto is_lost = [](const std::string& name) { return is_adapter(name); };
  if (std::ranges::none_of(taken.other_tensors, is_lost)) return;
  throw ConfigError(cat(folder,
                        ": has adapters that this training would not use; keep their adapter-rank, or merge them ",
                        "into the weights first: dhyan merge ", folder, " -o FOLDER"));
}

std::string describe(const TrainingStep::Memory& memory) {
  const auto megabytes = [](std::size_t bytes) { return cat(fixed(static_cast<double>(bytes) / (1 << 20), 1), " MB"); };
  return cat("memory: weights ", megabytes(memory.weights), ", gradients ", megabytes(memory.gradients), ", optimizer ",
             megabytes(memory.optimizer), ", forward and backward about ", megabytes(memory.arenas), "; together ",
             megabytes(memory.weights + memory.gradients + memory.optimizer + memory.arenas));
}

}  // namespace

// Without a log on ranks other than 0. Keeps notes that arrive before the folder is locked, and writes them to the log
// once there is one.
class TrainingRun::Tee final : public RunObserver {
 public:
  Tee(RunFacts& facts, RunObserver& user) : facts_(facts), user_(user) {}

  void log_to(const fs::path& folder, TrainingLog::Begin begin) {
    log_ = std::make_unique<TrainingLog>(folder, begin);
    board_ = std::make_unique<TensorboardLog>(folder / kStateFolder);
    if (begin == TrainingLog::Begin::kAfterWhatIsThere) return;  // the log has them already
    for (const std::string& text : early_notes_) log_->note(text);
  }

  // Tells the user only: the log of a resumed training must equal that of an uninterrupted one.
  void tell(const std::string& text) { user_.on_note(text); }

  void on_note(const std::string& text) override {
    if (log_) {
      log_->note(text);
    } else {
      early_notes_.push_back(text);
    }
    user_.on_note(text);
  }
  std::unique_ptr<ProgressSink> progress(std::string_view what) override { return user_.progress(what); }
  void on_step(const StepEvent& event) override { user_.on_step(event); }
  void on_interval(const IntervalEvent& event) override {
    if (log_) log_->on_interval(event);
    if (board_) board_->on_interval(event);
    user_.on_interval(event);
  }
  void on_validation(const ValidationEvent& event) override {
    if (event.best) facts_.held_out.assign(event.metrics.begin(), event.metrics.end());
    if (log_) log_->on_validation(event);
    if (board_) board_->on_validation(event);
    user_.on_validation(event);
  }
  void on_average(const AverageEvent& event) override {
    if (event.taken) facts_.held_out.assign(event.metrics.begin(), event.metrics.end());
    if (log_) log_->on_average(event);
    user_.on_average(event);
  }
  void on_saved(const Moment& at) override { user_.on_saved(at); }

 private:
  RunFacts& facts_;
  RunObserver& user_;
  std::unique_ptr<TrainingLog> log_;
  std::unique_ptr<TensorboardLog> board_;
  std::vector<std::string> early_notes_;
};

TrainingRun::TrainingRun(const Config& config, const RunOptions& options, RunObserver& observer)
    : config_(config),
      options_(options),
      pool_(kernels::make_thread_pool(options.threads)),
      tee_(std::make_unique<Tee>(facts_, observer)) {
  check(config_);
  leads() ? lead() : follow();
}

void TrainingRun::lead() {
  take_folder();
  const DataKind data_kind = data_kind_of(config_);
  derive_languages(config_.data, data_kind);
  std::unique_ptr<ProgressSink> opening = tee_->progress("opening corpora");
  const std::vector<CorpusInput> train = training_corpora(config_.data, data_kind, options_.poll);
  const std::vector<CorpusInput> valid = validation_corpora(config_.data, data_kind, options_.poll);
  if (!resumed() && data_kind == DataKind::kPairs) warn_of_swapped(train, valid);
  opening.reset();
  check_held_out(config_, valid.size());
  if (valid.empty()) do_without_held_out();
  if (data_kind == DataKind::kCaptions && !config_.data.train.empty() && config_.data.images.empty()) {
    config_.data.images = ".";
  }
  make_absolute(config_.data.train);
  make_absolute(config_.data.valid);
  make_absolute(std::span(&config_.validation.alignments, 1));
  make_absolute(std::span(&config_.init_from, 1));
  make_absolute(std::span(&config_.encoder_weights, 1));
  make_absolute(std::span(&config_.data.images, 1));
  make_absolute(std::span(&config_.data.picture_cache, 1));
  if (!config_.data.train.empty()) make_absolute(config_.data.guided_alignment);
  if (!resumed() && !config_.init_from.empty()) {
    expect_intact(fs::path(config_.init_from) / kWeightsFile);
  }
  std::optional<PreparedFolder> prepared;
  if (!resumed()) prepared.emplace(options_.folder);
  const fs::path tokenizers = resumed()                         ? options_.folder
                              : !config_.tokenizer.from.empty() ? fs::path(config_.tokenizer.from)
                                                                : fs::path(config_.init_from);
  const SizeOf size = config_.tokenizer.settings.vocabulary_size ? SizeOf::kUser : SizeOf::kChosen;
  choose_tokenizers(tokenizers, train);
  prepare({.train = train,
           .valid = valid,
           .tokenizers = tokenizers,
           .caches = prepared ? prepared->path() : options_.folder / kStateFolder,
           .size = size,
           .resumed = resumed() ? options_.folder : fs::path(),
           .pool = &pool_,
           .poll = options_.poll});
  std::optional<SideTrigrams> trigrams;
  if (!resumed() || !fs::exists(options_.folder / kTrigramsFile)) trigrams = trigrams_of(train, data_kind);
  if (!resumed()) prepare_trainer();  // takes as long as a step and may be stopped: the folder is still unchanged
  if (prepared) prepared->commit();

  tee_->log_to(options_.folder, resumed() ? TrainingLog::Begin::kAfterWhatIsThere : TrainingLog::Begin::kAnew);
  if (resumed()) prepare_trainer();  // truncates the log
  save_tokenizers(data_->tokenizers(), options_.folder);
  if (config_.tokenizer.shortlist && !resumed()) copy_shortlist(tokenizers, options_.folder);
  if (trigrams) save_trigrams(options_.folder, *trigrams);
  save_config(options_.folder, config_);
}

// A rank other than 0.
void TrainingRun::follow() {
  Communicator& ranks = options_.ranks->communicator;
  own_files_ = std::make_unique<RankFolder>(ranks);
  const ReceivedTraining received = receive_training(ranks, own_files_->path(), options_.poll);
  config_ = received.config;
  data_ = std::make_unique<TrainingData>(config_,
                                         TrainingSources{.train = received.train,
                                                         .valid = received.valid,
                                                         .tokenizers = received.tokenizers,
                                                         .caches = received.caches,
                                                         .resumed = resumed() ? options_.folder : fs::path(),
                                                         .pool = &pool_,
                                                         .poll = options_.poll},
                                         options_.threads, *tee_);
  model_ = make_model(config_, data_->tokenizers(), Rng(config_.training.seed).split(kWeightStream));
  freeze_weights();
  agree_on_data();
  if (!data_->validation().empty()) {
    TestSet set{.name = "held-out", .sources = received.translated};
    set.references.resize(set.sources.size());
    validator_ = std::make_unique<Validator>(config_, *model_, data_->tokenizers(),
                                             ValidationData{data_->validation(), std::move(set)}, &ranks);
  }
  prepare_trainer();
}

// All ranks have the same batches, and the weights of rank 0.
void TrainingRun::agree_on_data() {
  if (options_.ranks == nullptr) return;
  Communicator& ranks = options_.ranks->communicator;
  expect_agreement(ranks, {{"corpus", cat(data_->batches().position().data)},
                           {"number of held-out batches", cat(data_->validation().size())},
                           {"number of weights", cat(model_->parameters().element_count())}});
  take_weights_of_first(ranks, model_->parameters());
}

TrainingRun::~TrainingRun() = default;

void TrainingRun::choose_tokenizers(const fs::path& folder, std::span<const CorpusInput> train) {
  if (!folder.empty()) return take_tokenizer_kind(config_.tokenizer, folder);
  const std::string chosen = dhyan::choose_tokenizers(config_.tokenizer, data_kind_of(config_), train);
  if (!chosen.empty()) tee_->on_note(chosen);
}

// Locks the folder before all slow work.
void TrainingRun::take_folder() {
  if (resumed() && !fs::exists(options_.folder)) check_training_folder(options_.folder, options_.existing);
  lock_ = std::make_unique<FolderLock>(options_.folder);
  if (!lock_->warning().empty()) tee_->tell(lock_->warning());
  for (const std::string& note : check_training_folder(options_.folder, options_.existing)) tee_->tell(note);
  if (!resumed()) return;
  // Checks now: training reads the file of the best model only at its end.
  for (const fs::path& weights : {state_file(options_.folder), model_file(options_.folder)}) {
    if (fs::exists(weights)) expect_intact(weights);
  }
}

void TrainingRun::warn_of_swapped(std::span<const CorpusInput> train, std::span<const CorpusInput> valid) {
  for (const CorpusInput& corpus : valid) {
    if (!looks_swapped(train, corpus)) continue;
    tee_->on_note(cat("warning: ", corpus.name, ": source and target of the held-out pairs look swapped: its sources ",
                      "resemble the training targets, its targets the training sources; name its files in the same "
                      "order as those of --train"));
  }
}

void TrainingRun::do_without_held_out() {
  TrainingOptions& training = config_.training;
  if (training.average > 1 && training.average_of == AverageOf::kBest) {
    training.average_of = AverageOf::kLast;
    tee_->on_note(cat("average: no held-out data to choose the best checkpoints by; averaging the last ",
                      training.average, " checkpoints"));
  }
  if (training.patience > 0) {
    tee_->on_note(cat("patience is ", training.patience, ", and nothing is held out: patience has no effect"));
  }
}

void TrainingRun::prepare(const TrainingSources& sources) {
  data_ = std::make_unique<TrainingData>(config_, sources, options_.threads, *tee_);
  model_ = make_model(config_, data_->tokenizers(), Rng(config_.training.seed).split(kWeightStream));
  if (!resumed()) take_weights();
  freeze_weights();
  TestSet set;
  if (!data_->validation().empty() && translates(config_)) {
    set = validation_set(config_, sources.valid, data_->held_out_pictures(), sources.poll);
  }
  Communicator* ranks = options_.ranks != nullptr ? &options_.ranks->communicator : nullptr;
  if (ranks != nullptr) {
    const std::vector<std::string> translated = shares_translations(config_) ? set.sources : std::vector<std::string>();
    share_training(*ranks, {config_, data_->tokenizers(), sources.train, sources.valid, sources.caches, translated},
                   *tee_);
    agree_on_data();
  }
  if (!data_->validation().empty()) {
    validator_ = std::make_unique<Validator>(config_, *model_, data_->tokenizers(),
                                             ValidationData{data_->validation(), std::move(set)}, ranks);
  }
  facts_.train = data_->train();
  facts_.valid = data_->valid();
  facts_.source_vocabulary = data_->tokenizers().source->size();
  facts_.target_vocabulary = data_->tokenizers().target->size();
  facts_.weights = model_->parameters().element_count();
  tee_->on_note(cat("model: ", config_.model, ", ", grouped(static_cast<std::uint64_t>(facts_.weights)), " weights"));
}

// The backbone sets its own frozen parameters; the option `freeze` adds more.
void TrainingRun::freeze_weights() {
  std::vector<std::string> patterns = config_.training.freeze;
  if (reads_pictures(config_)) {
    const BackboneEntry& backbone = entry_named("encoder", backbones(), config_.common.encoder);
    if (backbone.frozen != nullptr) {
      std::ranges::move(backbone.frozen(config_.common.backbone, kBackboneParameters), std::back_inserter(patterns));
    }
  }
  freeze(model_->parameters(), patterns);
  if (config_.common.adapter.rank == 0) return;
  for (Parameter& parameter : model_->parameters()) parameter.frozen |= !is_adapter(parameter.name);
}

void TrainingRun::take_weights() {
  const bool pretrained = has_pretrained_backbone(config_);
  if (!config_.init_from.empty()) {
    const fs::path weights = fs::path(config_.init_from) / kWeightsFile;
    Matched taken = load_matching_parameters(weights, model_->parameters());
    expect_no_lost_adapters(config_.init_from, taken);
    std::vector<std::string>& rest = taken.other_parameters;
    if (pretrained) {
      std::erase_if(rest, [](const std::string& name) { return name.starts_with(kBackboneParameters); });
    }
    const std::size_t all = model_->parameters().count();
    std::string text = cat("weights: ", all - rest.size(), " of ", all, " from ", config_.init_from);
    if (!rest.empty()) text += cat("; randomly initialised: ", some_of(rest));
    if (!taken.other_tensors.empty()) text += cat("; unused: ", some_of(taken.other_tensors));
    tee_->on_note(text);
    if (taken.dequantized > 0) {
      tee_->on_note(cat("warning: ", weights.string(), ": ", taken.dequantized, " matrices are int8; training ",
                        "starts from their rounded values, as floats"));
    }
  }
  if (!pretrained) return;
  const fs::path file = load_backbone(config_, model_->parameters());
  tee_->on_note(cat("backbone: ", config_.common.encoder, ", weights from ", file.string()));
}

void TrainingRun::prepare_trainer() {
  TrainingTask task{.model = *model_,
                    .batches = data_->batches(),
                    .epoch_tokens = data_->epoch_tokens(),
                    .pool = pool_,
                    .validate = {},
                    .folder = leads() ? options_.folder : own_files_->path(),
                    .logs = leads() ? TrainingLog::files() : std::vector<std::string>(),
                    .poll = [this] { poll(); },
                    .ranks = options_.ranks};
  if (validator_) task.validate = [this, poll = task.poll] { return (*validator_)(pool_, poll); };
  trainer_ = std::make_unique<Trainer>(task, config_.training);
  if (!resumed()) {
    if (const std::optional<Index> last = trainer_->schedule().last_step()) {
      tee_->on_note(cat("schedule: ", config_.training.schedule, " brings the learning rate down to 0 at step ",
                        grouped(static_cast<std::uint64_t>(*last)), "; training ends there at the latest"));
    } else if (config_.training.schedule == "cosine") {
      const ScheduleOptions& schedule = config_.training.schedule_settings;
      tee_->on_note(cat("schedule: cosine brings the learning rate down to ", schedule.final_rate, " at step ",
                        grouped(static_cast<std::uint64_t>(schedule.total_steps)),
                        "; training continues at that rate after it"));
    }
    return tee_->on_note(describe(trainer_->measure_memory()));
  }
  trainer_->resume();
  tee_->tell(cat("resumed after step ", state().step));
  const KeptCheckpoints& kept = state().kept;
  if (!kept.best.empty()) facts_.held_out = {{state().metric, kept.mean.value_or(kept.best.front().score)}};
}

void TrainingRun::poll() const {
  if (!options_.poll) return;
  if (!training_) return options_.poll();
  try {
    options_.poll();
  } catch (...) {
    throw StopTraining();
  }
}

Ended TrainingRun::run(const std::function<bool()>& stop) {
  training_ = true;
  const Ended ended = trainer_->run(*tee_, stop);
  if (leads()) write_readme(options_.folder, readme(*this));
  return ended;
}

}  // namespace dhyan
