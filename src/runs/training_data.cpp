#include "runs/training_data.h"

#include <utility>

#include "core/error.h"
#include "core/number_text.h"
#include "core/pluralize.h"

namespace dhyan {

const char* unit_of(DataKind data_kind) {
  switch (data_kind) {
    case DataKind::kPairs:
      return "pair";
    case DataKind::kCaptions:
      return "caption";
    case DataKind::kText:
    case DataKind::kLines:
      break;
  }
  return "line";
}

namespace {

constexpr Index kLongestLine = 1 << 20;  // tokens of a continuous text

std::string describe(const CorpusFacts& facts, DataKind data_kind) {
  const CacheCounts& counts = facts.counts;
  std::string text = cat(facts.name, ": ", pluralize(counts.pairs, unit_of(data_kind)), ", ");
  switch (data_kind) {
    case DataKind::kPairs:
      text += cat(grouped(counts.source_tokens), " + ", pluralize(counts.target_tokens, "token"));
      break;
    case DataKind::kCaptions:
      text += pluralize(counts.target_tokens, "token");
      break;
    case DataKind::kText:
    case DataKind::kLines:
      text += pluralize(counts.source_tokens, "token");
  }
  if (counts.too_long > 0) text += cat("; left out, too long: ", grouped(counts.too_long));
  if (counts.cut > 0) text += cat("; cut: ", grouped(counts.cut));
  if (counts.empty > 0) {
    text += cat("; left out, ", data_kind == DataKind::kCaptions ? "empty or without a picture" : "empty", ": ",
                grouped(counts.empty));
  }
  return text;
}

std::string describe(const UnknownTexts& unknown, DataKind data_kind) {
  if (data_kind == DataKind::kCaptions) return describe(unknown.target);
  if (data_kind != DataKind::kPairs) return describe(unknown.source);
  return cat("source: ", describe(unknown.source), "; target: ", describe(unknown.target));
}

TokenizerPair tokenizers_for(const TokenizerConfig& config, DataKind data_kind, const TrainingSources& sources,
                             RunObserver& observer) {
  if (!sources.tokenizers.empty()) return load_tokenizers(config, sources.tokenizers);
  const std::unique_ptr<ProgressSink> progress = observer.progress("learning tokenizers");
  return learn_tokenizers(config, data_kind, sources.train, sources.poll);
}

}  // namespace

// Options for reading corpora.
struct TrainingData::Reading {
  const Config& config;
  int threads;
  RunObserver& observer;
  const TrainingSources& sources;
};

TrainingData::TrainingData(const Config& config, const TrainingSources& sources, int threads, RunObserver& observer)
    : data_kind_(data_kind_of(config)), tokenizers_(tokenizers_for(config.tokenizer, data_kind_, sources, observer)) {
  observer.on_note(
      cat(data_kind_ == DataKind::kCaptions ? "vocabulary: " : "vocabularies: ", tokenizers_.source->size(),
          tokenizers_.shared() ? "" : cat(" and ", tokenizers_.target->size()), " tokens (", config.tokenizer.kind,
          tokenizers_.shared() && data_kind_ == DataKind::kPairs ? ", shared)" : ")"));
  if (const std::string fewer = fewer_than_asked(config.tokenizer, tokenizers_, sources.size);
      sources.tokenizers.empty() && !fewer.empty()) {
    observer.on_note(fewer);
  }
  const Reading reading{config, threads, observer, sources};
  batches_ =
      std::make_unique<BatchStream>(open(sources.train, pictures(sources.train, reading), Purpose::kTrain, reading));
  if (sources.valid.empty()) {
    observer.on_note("nothing is held out (--valid): the last weights are kept, not the best");
    return;
  }
  held_out_pictures_ = pictures(sources.valid, reading);
  BatchStream all = open(sources.valid, held_out_pictures_, Purpose::kValidate, reading);
  while (all.position().epoch == 0) {
    if (sources.poll) sources.poll();
    validation_.push_back(all.next());
  }
}

TrainingPictures TrainingData::pictures(std::span<const CorpusInput> corpora, const Reading& reading) const {
  if (data_kind_ != DataKind::kCaptions) return {};
  const TrainingSources& sources = reading.sources;
  return training_pictures(
      reading.config, corpora,
      {.caches = sources.caches, .resumed = sources.resumed, .pool = sources.pool, .poll = sources.poll},
      reading.observer);
}

BatchStream TrainingData::open(std::span<const CorpusInput> corpora, const TrainingPictures& shown, Purpose purpose,
                               const Reading& reading) {
  std::vector<TrainingCorpus> opened;
  for (const CorpusInput& corpus : corpora) {
    const std::string name = cat(purpose == Purpose::kTrain ? "train-" : "valid-", opened.size(), ".tokens");
    opened.push_back(corpus.scenes ? drawn(corpus, shown.grid, purpose, reading)
                                   : tokenise(corpus, purpose, reading.sources.caches / name, shown.names, reading));
  }
  return stream(std::move(opened), shown.pictures, reading.config);
}

TrainingCorpus TrainingData::drawn(const CorpusInput& corpus, GridShape grid, Purpose purpose, const Reading& reading) {
  PictureBookSpec spec = *corpus.scenes;
  spec.sampled = reading.config.tokenizer.sampled && purpose == Purpose::kTrain;
  auto scenes = std::make_shared<PictureBookCorpus>(spec, tokenizers_.target, grid);
  CorpusFacts facts{corpus.name, corpus.weight, {}};
  facts.counts.pairs = static_cast<std::uint64_t>(scenes->pairs());
  facts.counts.target_tokens = static_cast<std::uint64_t>(scenes->target_tokens());
  reading.observer.on_note(cat(corpus.name, ": ", pluralize(facts.counts.pairs, "scene"), " in an epoch",
                               purpose == Purpose::kTrain ? ", different in each epoch" : ""));
  (purpose == Purpose::kTrain ? train_ : valid_).push_back(facts);
  return {.cache = nullptr, .weight = corpus.weight, .drawn = std::move(scenes)};
}

TrainingCorpus TrainingData::tokenise(const CorpusInput& corpus, Purpose purpose, const std::filesystem::path& cache,
                                      std::shared_ptr<const Tokenizer> names, const Reading& reading) {
  const Config& config = reading.config;
  const bool sampled = config.tokenizer.sampled && purpose == Purpose::kTrain;
  const std::shared_ptr<const Tokenizer> target = data_kind_ == DataKind::kText ? nullptr : tokenizers_.target;
  const std::shared_ptr<const Tokenizer> source = names != nullptr ? std::move(names) : tokenizers_.source;
  const CacheRecipe recipe{.source = source.get(),
                           .target = target.get(),
                           .max_length = data_kind_ == DataKind::kText ? kLongestLine : config.data.max_length,
                           .overlong = config.data.overlong,
                           .content = sampled          ? CacheContent::kText
                                      : corpus.aligned ? CacheContent::kAligned
                                                       : CacheContent::kIds};
  std::unique_ptr<ProgressSink> progress = reading.observer.progress(cat("tokenising ", corpus.name));
  UnknownTexts unknown;
  const BuildOptions building{
      .threads = reading.threads, .progress = progress.get(), .poll = reading.sources.poll, .unknown = &unknown};
  const PreparedCache prepared = prepare_token_cache(cache, corpus.open, corpus.fingerprint, recipe, building);
  progress.reset();
  const CorpusFacts facts{corpus.name, corpus.weight, prepared.cache->info().counts};
  const std::string description = describe(facts, data_kind_);
  reading.observer.on_note(description);
  if (prepared.cache->pairs() == 0) {
    throw DataError(cat(description, "; expected at least one ", unit_of(data_kind_)));
  }
  if (prepared.built) reading.observer.on_note(cat(corpus.name, ": ", describe(unknown, data_kind_)));
  (purpose == Purpose::kTrain ? train_ : valid_).push_back(facts);
  return {prepared.cache, corpus.weight, source, target};
}

BatchStream TrainingData::stream(std::vector<TrainingCorpus> corpora, std::shared_ptr<const PictureSource> pictures,
                                 const Config& config) const {
  const BatchOptions options{
      .seed = config.training.seed, .limits = config.training.batch, .pictures = std::move(pictures)};
  if (data_kind_ == DataKind::kText) return {std::move(corpora), config.transformer.longest, options};
  return {std::move(corpora), options};
}

Index TrainingData::epoch_tokens() const {
  double tokens = 0;
  for (const CorpusFacts& corpus : train_) {  // tokens and one </s> for each pair
    const CacheCounts& counts = corpus.counts;
    const std::uint64_t words = data_kind_ == DataKind::kText ? counts.source_tokens : counts.target_tokens;
    tokens += corpus.weight * static_cast<double>(words + counts.pairs);
  }
  return static_cast<Index>(tokens);
}

}  // namespace dhyan
