#include "translator/training_run.h"

#include <array>
#include <cmath>
#include <optional>

#include "core/error.h"
#include "core/file.h"
#include "core/number_text.h"
#include "kernels/runtime.h"
#include "translator/learn_tokenizers.h"
#include "translator/model_kinds.h"
#include "translator/readme.h"

namespace dhyan {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kWeightStream = 17;  // of the seed; others belong to the data and to the trainer
constexpr const char* kStateFolder = "training";
constexpr Index kLongestLine = 1 << 20;  // tokens, of a text that runs on over the ends of lines

bool holds_a_model(const fs::path& folder) {
  return fs::exists(folder / kConfigFile) || fs::exists(folder / kStateFolder);
}

// Nothing but what a training writes.
void remove_model(const fs::path& folder) {
  for (const char* name : {"config.json", "model.safetensors", "train.log", "train.jsonl", "README.md"}) {
    fs::remove(folder / name);
  }
  for (const char* side : {"source", "target", "shared"}) {
    for (const char* ending : {".model", ".vocab"}) fs::remove(folder / cat(side, ending));
  }
  fs::remove_all(folder / kStateFolder);
}

// Where a training is prepared, so that a folder is what it was until all is well.
constexpr const char* kPreparedFolder = "training.new";

class PreparedFolder {
 public:
  explicit PreparedFolder(const fs::path& folder) : folder_(folder), was_there_(fs::exists(folder)) {
    fs::remove_all(path());
    create_folder(path());
  }
  ~PreparedFolder() {  // removing fails or not: there is nothing more to be done
    std::error_code ignored;
    fs::remove_all(path(), ignored);
    if (!was_there_) fs::remove(folder_, ignored);  // if it is empty
  }
  PreparedFolder(const PreparedFolder&) = delete;
  PreparedFolder& operator=(const PreparedFolder&) = delete;

  fs::path path() const { return folder_ / kPreparedFolder; }

  // Takes the place of what was there.
  void commit() const {
    remove_model(folder_);
    fs::rename(path(), folder_ / kStateFolder);
  }

 private:
  fs::path folder_;
  bool was_there_;
};

void check_folder(const RunOptions& options) {
  const fs::path& folder = options.folder;
  if (options.existing == Existing::kResume && !Trainer::can_resume(folder)) {
    throw ModelFileError(cat(folder.string(), ": there is no training to go on with"));
  }
  if (options.existing == Existing::kRefuse && holds_a_model(folder)) {
    throw UsageError(cat(folder.string(),
                         ": holds a model; --resume goes on with its training, --overwrite begins anew,"
                         " -o names another folder"));
  }
}

// Where a training is resumed from is not where it began.
void make_absolute(std::vector<std::string>& files) {
  for (std::string& file : files) file = fs::absolute(file).lexically_normal().string();
}

std::string describe(const CorpusFacts& facts, Material material) {
  const CacheCounts& counts = facts.counts;
  const bool pairs = material == Material::kPairs;
  std::string text =
      cat(facts.name, ": ", grouped(counts.pairs), pairs ? " pairs, " : " lines, ", grouped(counts.source_tokens),
          pairs ? cat(" + ", grouped(counts.target_tokens)) : "", " tokens");
  if (counts.too_long > 0) text += cat("; left out, too long: ", grouped(counts.too_long));
  if (counts.cut > 0) text += cat("; cut: ", grouped(counts.cut));
  if (counts.empty > 0) text += cat("; left out, empty: ", grouped(counts.empty));
  return text;
}

void write_file(const fs::path& path, const std::string& text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

Index target_tokens_of_an_epoch(const std::vector<CorpusFacts>& corpora, Material material) {
  double tokens = 0;
  for (const CorpusFacts& corpus : corpora) {  // each with its </s>
    const CacheCounts& counts = corpus.counts;
    const std::uint64_t words = material == Material::kText ? counts.source_tokens : counts.target_tokens;
    tokens += corpus.weight * static_cast<double>(words + counts.pairs);
  }
  return static_cast<Index>(tokens);
}

}  // namespace

// Passes events on to the user and to the log, and keeps what the README will say.
class TrainingRun::Tee final : public TrainingObserver {
 public:
  explicit Tee(TrainingRun& run) : run_(run) {}

  void on_step(const StepEvent& event) override { run_.observer_.on_step(event); }
  void on_interval(const IntervalEvent& event) override {
    run_.log_->on_interval(event);
    run_.observer_.on_interval(event);
  }
  void on_validation(const ValidationEvent& event) override {
    if (event.best) run_.facts_.held_out.assign(event.metrics.begin(), event.metrics.end());
    run_.log_->on_validation(event);
    run_.observer_.on_validation(event);
  }
  void on_average(const AverageEvent& event) override {
    if (event.taken) run_.facts_.held_out.assign(event.metrics.begin(), event.metrics.end());
    run_.log_->on_average(event);
    run_.observer_.on_average(event);
  }
  void on_saved(const Moment& at) override { run_.observer_.on_saved(at); }

 private:
  TrainingRun& run_;
};

TrainingRun::TrainingRun(const Config& config, const RunOptions& options, RunObserver& observer)
    : config_(config),
      material_(model_kind(config).material),
      options_(options),
      observer_(observer),
      pool_(kernels::make_thread_pool(options.threads)) {
  check(config_);
  const std::vector<CorpusInput> train = training_corpora(config_.data, material_, options.poll);
  const std::vector<CorpusInput> valid = validation_corpora(config_.data, material_, options.poll);
  make_absolute(config_.data.train);
  make_absolute(config_.data.valid);
  check_folder(options_);
  std::optional<PreparedFolder> prepared;
  if (!resumed()) prepared.emplace(options_.folder);
  prepare(train, valid, prepared ? prepared->path() : options_.folder / kStateFolder);
  if (prepared) prepared->commit();

  log_ = std::make_unique<TrainingLog>(options.folder,
                                       resumed() ? TrainingLog::Begin::kAfterWhatIsThere : TrainingLog::Begin::kAnew);
  for (const std::string& text : early_notes_) log_->note(text);
  prepare_trainer();
  save_tokenizers(tokenizers_, options_.folder);
  save_config(options_.folder, config_);
}

void TrainingRun::prepare(std::span<const CorpusInput> train, std::span<const CorpusInput> valid,
                          const fs::path& caches) {
  tokenizers_ = prepare_tokenizers(train);
  facts_.source_vocabulary = tokenizers_.source->size();
  facts_.target_vocabulary = tokenizers_.target->size();
  note(cat("vocabularies: ", facts_.source_vocabulary,
           tokenizers_.shared() ? "" : cat(" and ", facts_.target_vocabulary), " tokens (", config_.tokenizer.kind,
           tokenizers_.shared() && material_ == Material::kPairs ? ", shared)" : ")"));
  std::vector<TrainingCorpus> tokenised = tokenise(train, caches / "train", facts_.train);
  prepare_batches(std::move(tokenised), tokenise(valid, caches / "valid", facts_.valid));
  if (valid.empty()) note("nothing is held out: the last weights will be kept, not the best (--valid)");

  model_ = make_model(config_, tokenizers_, Rng(config_.training.seed).split(kWeightStream));
  facts_.weights = model_->parameters().element_count();
  note(cat("model: ", config_.model, ", ", grouped(static_cast<std::uint64_t>(facts_.weights)), " weights"));
}

TokenizerPair TrainingRun::prepare_tokenizers(std::span<const CorpusInput> corpora) {
  if (resumed()) return load_tokenizers(config_.tokenizer, options_.folder);
  if (!config_.tokenizer.from.empty()) return load_tokenizers(config_.tokenizer, config_.tokenizer.from);
  return learn_tokenizers(config_.tokenizer, material_, corpora);
}

std::vector<TrainingCorpus> TrainingRun::tokenise(std::span<const CorpusInput> corpora, const fs::path& cache,
                                                  std::vector<CorpusFacts>& facts) {
  const bool sampled = config_.tokenizer.sampled && &facts == &facts_.train;
  const std::shared_ptr<const Tokenizer> target = material_ == Material::kText ? nullptr : tokenizers_.target;
  const CacheRecipe recipe{.source = tokenizers_.source.get(),
                           .target = target.get(),
                           .max_length = material_ == Material::kText ? kLongestLine : config_.data.max_length,
                           .overlong = config_.data.overlong,
                           .content = sampled ? CacheContent::kText : CacheContent::kIds};
  std::vector<TrainingCorpus> tokenised;
  for (const CorpusInput& corpus : corpora) {
    const std::unique_ptr<ProgressSink> progress = observer_.progress(cat("tokenising ", corpus.name));
    const fs::path file = cat(cache.string(), "-", tokenised.size(), ".tokens");
    const PreparedCache prepared = prepare_token_cache(file, corpus.open, corpus.fingerprint, recipe,
                                                       {.threads = options_.threads, .progress = progress.get()});
    facts.push_back({corpus.name, corpus.weight, prepared.cache->info().counts});
    const std::string description = describe(facts.back(), material_);
    note(description);
    if (prepared.cache->pairs() == 0) {
      throw DataError(cat(description, "; expected at least one ", material_ == Material::kPairs ? "pair" : "line"));
    }
    tokenised.push_back({prepared.cache, corpus.weight, tokenizers_.source, target});
  }
  return tokenised;
}

BatchStream TrainingRun::stream(std::vector<TrainingCorpus> corpora) const {
  const BatchOptions options{.seed = config_.training.seed, .limits = config_.training.batch};
  if (material_ == Material::kText) return {std::move(corpora), config_.transformer.longest, options};
  return {std::move(corpora), options};
}

void TrainingRun::prepare_batches(std::vector<TrainingCorpus> train, std::vector<TrainingCorpus> valid) {
  batches_ = std::make_unique<BatchStream>(stream(std::move(train)));
  if (valid.empty()) return;
  BatchStream all = stream(std::move(valid));
  while (all.position().epoch == 0) validation_.push_back(all.next());
}

void TrainingRun::prepare_trainer() {
  TrainingTask task{.model = *model_,
                    .batches = *batches_,
                    .epoch_tokens = target_tokens_of_an_epoch(facts_.train, material_),
                    .pool = pool_,
                    .validate = {},
                    .folder = options_.folder};
  if (!validation_.empty()) task.validate = [this] { return held_out_loss(*model_, validation_, pool_); };
  trainer_ = std::make_unique<Trainer>(task, config_.training);
  if (!resumed()) return;
  trainer_->resume();
  note(cat("resumed after step ", state().step));
  if (state().best.empty()) return;
  const double loss = state().best.front().loss;
  facts_.held_out = {{"loss", loss}, {"perplexity", std::exp(loss)}};
}

Ended TrainingRun::run(const std::function<bool()>& stop) {
  Tee tee(*this);
  const Ended ended = trainer_->run(tee, stop);
  write_file(options_.folder / "README.md", readme(*this));
  return ended;
}

void TrainingRun::note(const std::string& text) {
  if (log_) {
    log_->note(text);
  } else {
    early_notes_.push_back(text);
  }
  observer_.on_note(text);
}

}  // namespace dhyan
