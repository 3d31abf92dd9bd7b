#include "runs/training_data.h"

#include "core/error.h"
#include "core/number_text.h"
#include "core/pluralize.h"

namespace dhyan {

namespace {

constexpr Index kLongestLine = 1 << 20;  // tokens, of a text that runs on over the ends of lines

std::string describe(const CorpusFacts& facts, DataKind data_kind) {
  const CacheCounts& counts = facts.counts;
  const bool pairs = data_kind == DataKind::kPairs;
  std::string text = cat(facts.name, ": ", pluralize(counts.pairs, pairs ? "pair" : "line"), ", ",
                         pairs ? cat(grouped(counts.source_tokens), " + ", pluralize(counts.target_tokens, "token"))
                               : pluralize(counts.source_tokens, "token"));
  if (counts.too_long > 0) text += cat("; left out, too long: ", grouped(counts.too_long));
  if (counts.cut > 0) text += cat("; cut: ", grouped(counts.cut));
  if (counts.empty > 0) text += cat("; left out, empty: ", grouped(counts.empty));
  return text;
}

std::string describe(const UnknownTexts& unknown, bool two_sided) {
  if (!two_sided) return describe(unknown.source);
  return cat("source: ", describe(unknown.source), "; target: ", describe(unknown.target));
}

TokenizerPair tokenizers_for(const TokenizerConfig& config, DataKind data_kind, const TrainingSources& sources,
                             RunObserver& observer) {
  if (!sources.tokenizers.empty()) return load_tokenizers(config, sources.tokenizers);
  const std::unique_ptr<ProgressSink> progress = observer.progress("learning tokenizers");
  return learn_tokenizers(config, data_kind, sources.train, sources.poll);
}

}  // namespace

// How corpora are read.
struct TrainingData::Reading {
  const Config& config;
  int threads;
  RunObserver& observer;
  std::filesystem::path caches;
  std::function<void()> poll;
};

TrainingData::TrainingData(const Config& config, const TrainingSources& sources, int threads, RunObserver& observer)
    : data_kind_(model_kind(config).data_kind),
      tokenizers_(tokenizers_for(config.tokenizer, data_kind_, sources, observer)) {
  observer.on_note(cat("vocabularies: ", tokenizers_.source->size(),
                       tokenizers_.shared() ? "" : cat(" and ", tokenizers_.target->size()), " tokens (",
                       config.tokenizer.kind,
                       tokenizers_.shared() && data_kind_ == DataKind::kPairs ? ", shared)" : ")"));
  if (const std::string fewer = fewer_than_asked(config.tokenizer, tokenizers_, sources.size);
      sources.tokenizers.empty() && !fewer.empty()) {
    observer.on_note(fewer);
  }
  const Reading reading{config, threads, observer, sources.caches, sources.poll};
  batches_ = std::make_unique<BatchStream>(stream(tokenise(sources.train, Purpose::kTrain, reading), config));
  if (sources.valid.empty()) {
    observer.on_note("nothing is held out (--valid): the last weights are kept, not the best");
    return;
  }
  BatchStream all = stream(tokenise(sources.valid, Purpose::kValidate, reading), config);
  while (all.position().epoch == 0) {
    if (sources.poll) sources.poll();
    validation_.push_back(all.next());
  }
}

std::vector<TrainingCorpus> TrainingData::tokenise(std::span<const CorpusInput> corpora, Purpose purpose,
                                                   const Reading& reading) {
  std::vector<TrainingCorpus> tokenised;
  for (const CorpusInput& corpus : corpora) {
    const std::string name = cat(purpose == Purpose::kTrain ? "train-" : "valid-", tokenised.size(), ".tokens");
    tokenised.push_back(tokenise(corpus, purpose, reading.caches / name, reading));
  }
  return tokenised;
}

TrainingCorpus TrainingData::tokenise(const CorpusInput& corpus, Purpose purpose, const std::filesystem::path& cache,
                                      const Reading& reading) {
  const Config& config = reading.config;
  const bool sampled = config.tokenizer.sampled && purpose == Purpose::kTrain;
  const std::shared_ptr<const Tokenizer> target = data_kind_ == DataKind::kText ? nullptr : tokenizers_.target;
  const CacheRecipe recipe{.source = tokenizers_.source.get(),
                           .target = target.get(),
                           .max_length = data_kind_ == DataKind::kText ? kLongestLine : config.data.max_length,
                           .overlong = config.data.overlong,
                           .content = sampled          ? CacheContent::kText
                                      : corpus.aligned ? CacheContent::kAligned
                                                       : CacheContent::kIds};
  std::unique_ptr<ProgressSink> progress = reading.observer.progress(cat("tokenising ", corpus.name));
  UnknownTexts unknown;
  const BuildOptions building{
      .threads = reading.threads, .progress = progress.get(), .poll = reading.poll, .unknown = &unknown};
  const PreparedCache prepared = prepare_token_cache(cache, corpus.open, corpus.fingerprint, recipe, building);
  progress.reset();
  const CorpusFacts facts{corpus.name, corpus.weight, prepared.cache->info().counts};
  const std::string description = describe(facts, data_kind_);
  reading.observer.on_note(description);
  if (prepared.cache->pairs() == 0) {
    throw DataError(cat(description, "; expected at least one ", data_kind_ == DataKind::kPairs ? "pair" : "line"));
  }
  if (prepared.built)
    reading.observer.on_note(cat(corpus.name, ": ", describe(unknown, data_kind_ == DataKind::kPairs)));
  (purpose == Purpose::kTrain ? train_ : valid_).push_back(facts);
  return {prepared.cache, corpus.weight, tokenizers_.source, target};
}

BatchStream TrainingData::stream(std::vector<TrainingCorpus> corpora, const Config& config) const {
  const BatchOptions options{.seed = config.training.seed, .limits = config.training.batch};
  if (data_kind_ == DataKind::kText) return {std::move(corpora), config.transformer.longest, options};
  return {std::move(corpora), options};
}

Index TrainingData::epoch_tokens() const {
  double tokens = 0;
  for (const CorpusFacts& corpus : train_) {  // each with its </s>
    const CacheCounts& counts = corpus.counts;
    const std::uint64_t words = data_kind_ == DataKind::kText ? counts.source_tokens : counts.target_tokens;
    tokens += corpus.weight * static_cast<double>(words + counts.pairs);
  }
  return static_cast<Index>(tokens);
}

}  // namespace dhyan
