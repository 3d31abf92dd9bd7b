#include "data/batch_stream.h"

#include <algorithm>
#include <bit>

#include "core/error.h"
#include "data/content_hash.h"

namespace dhyan {

namespace {

constexpr std::uint64_t kOrderVersion = 1;  // increase it when the order of batches changes
constexpr Index kStretchesOfARun = 64;      // so that few are cut short at the end of the run

void expect_usable(const std::vector<TrainingCorpus>& corpora, bool pairs) {
  const CacheKey* first = nullptr;
  for (std::size_t c = 0; c < corpora.size(); ++c) {
    const TrainingCorpus& corpus = corpora[c];
    if (corpus.drawn) {
      if (!pairs) throw UsageError(cat("batches: corpus ", c, " is drawn, expected plain text"));
      continue;
    }
    if (!corpus.cache) throw UsageError(cat("batches: corpus ", c, " has no cache"));
    const CacheInfo& info = corpus.cache->info();
    if ((info.key.target_tokenizer != 0) != pairs) {
      throw ConfigError(pairs ? cat("batches: corpus ", c, " is plain text, expected sentence pairs")
                              : cat("batches: corpus ", c, " has sentence pairs, expected plain text"));
    }
    if (first == nullptr) first = &info.key;
    const CacheKey& key = info.key;
    if (key.source_tokenizer != first->source_tokenizer || key.target_tokenizer != first->target_tokenizer) {
      throw ConfigError(cat("batches: corpus ", c, " has other tokenizers than those before it, expected the same"));
    }
    if (info.content != CacheContent::kText) continue;
    const std::uint64_t source = corpus.source ? corpus.source->fingerprint() : 0;
    const std::uint64_t target = corpus.target ? corpus.target->fingerprint() : 0;
    if (source != key.source_tokenizer || target != key.target_tokenizer) {
      throw ConfigError(cat("batches: corpus ", c, " is kept as text, expected the tokenizers it was measured with"));
    }
  }
}

// Whole lines for about kStretchesOfARun stretches.
Index lines_of_a_run(const TokenCache& cache, Index context) {
  const Index line_tokens = cache.tokens() / std::max<Index>(1, cache.pairs()) + 1;
  return std::max<Index>(1, kStretchesOfARun * context / line_tokens);
}

Mixture mixture_of(const std::vector<TrainingCorpus>& corpora, Index context, const BatchOptions& options) {
  std::vector<Mixture::Corpus> parts;
  for (const TrainingCorpus& corpus : corpora) {
    parts.push_back({corpus.pairs(), corpus.tokens(), corpus.weight,
                     context == 0 ? pairs_of_a_run(corpus.pairs()) : lines_of_a_run(*corpus.cache, context)});
  }
  return {std::move(parts), options.buffer_tokens};
}

ShuffleBufferPlan pair_plan(std::vector<TrainingCorpus> corpora, const BatchOptions& options) {
  expect_usable(corpora, true);
  Mixture mixture = mixture_of(corpora, 0, options);
  return {std::move(corpora), options.limits, 0, std::move(mixture), options.pictures};
}

ShuffleBufferPlan text_plan(std::vector<TrainingCorpus> corpora, Index context, const BatchOptions& options) {
  if (context < 1 || context > options.limits.max_tokens) {
    throw ConfigError(cat("batches: a context of ", context, " tokens, expected 1 to ", options.limits.max_tokens));
  }
  expect_usable(corpora, false);
  Mixture mixture = mixture_of(corpora, context, options);
  return {std::move(corpora), options.limits, context, std::move(mixture), nullptr};
}

std::uint64_t fingerprint(const ShuffleBufferPlan& plan, const BatchOptions& options) {
  ContentHash hash;
  hash.add(kOrderVersion);
  for (const Index number : {plan.limits.max_tokens, plan.limits.max_sentences, plan.context, options.buffer_tokens}) {
    hash.add(static_cast<std::uint64_t>(number));
  }
  for (const TrainingCorpus& corpus : plan.corpora) {
    const CacheKey key = corpus.drawn ? CacheKey{.corpus = corpus.drawn->fingerprint()} : corpus.cache->info().key;
    for (const std::uint64_t number : {key.corpus, key.source_tokenizer, key.target_tokenizer, key.options,
                                       std::bit_cast<std::uint64_t>(corpus.weight)}) {
      hash.add(number);
    }
  }
  return hash.value();
}

void to_next_pool(StreamPosition& position, const Mixture& mixture) {
  position.batch = 0;
  if (++position.buffer < static_cast<std::uint64_t>(mixture.buffers(position.epoch))) return;
  position.buffer = 0;
  ++position.epoch;
}

}  // namespace

BatchStream::BatchStream(std::vector<TrainingCorpus> corpora, const BatchOptions& options)
    : BatchStream(pair_plan(std::move(corpora), options), options) {}

BatchStream::BatchStream(std::vector<TrainingCorpus> corpora, Index context, const BatchOptions& options)
    : BatchStream(text_plan(std::move(corpora), context, options), options) {}

BatchStream::BatchStream(ShuffleBufferPlan plan, const BatchOptions& options)
    : plan_(std::make_shared<const ShuffleBufferPlan>(std::move(plan))),
      threads_(std::make_shared<ThreadPool>(options.threads)) {
  batch_ends({}, options.limits);  // checks the limits: throws here, not on the prefetching thread
  position_.data = fingerprint(*plan_, options);
  position_.seed = options.seed;
  start();
}

BatchStream::~BatchStream() = default;
BatchStream::BatchStream(BatchStream&&) noexcept = default;
BatchStream& BatchStream::operator=(BatchStream&&) noexcept = default;

void BatchStream::start() {
  if (prefetcher_) seconds_waited_before_ += prefetcher_->seconds_waited();
  prefetcher_.reset();  // frees its threads for the next one
  loaded_ = false;
  prefetcher_ = std::make_unique<Prefetcher<ShuffleBuffer>>(
      [plan = plan_, threads = threads_, at = position_](const std::stop_token& stop) mutable {
        ShuffleBuffer buffer =
            load_shuffle_buffer(*plan, at.seed, at.epoch, static_cast<Index>(at.buffer), *threads, stop);
        to_next_pool(at, plan->mixture);
        return buffer;
      },
      1);
}

Batch BatchStream::next() {
  while (!loaded_) {
    buffer_ = {};  // frees its memory before the next buffer is made
    buffer_ = prefetcher_->take();
    loaded_ = position_.batch < static_cast<std::uint64_t>(buffer_.batches());
    if (!loaded_ && position_.batch > 0) {
      throw DataError(cat("batches: the position is at batch ", position_.batch, " of ", buffer_.batches()));
    }
    if (!loaded_) to_next_pool(position_, plan_->mixture);
  }
  Batch batch = buffer_.batch(static_cast<Index>(position_.batch));
  if (++position_.batch == static_cast<std::uint64_t>(buffer_.batches())) {
    to_next_pool(position_, plan_->mixture);
    loaded_ = false;
  }
  return batch;
}

void BatchStream::seek(const StreamPosition& position) {
  if (position.data != position_.data) {
    throw ConfigError(cat("batches: the position is of other corpora, tokenizers or batch sizes (", position.data,
                          "), expected ", position_.data));
  }
  if (position.buffer >= static_cast<std::uint64_t>(plan_->mixture.buffers(position.epoch))) {
    throw DataError(cat("batches: the position is in shuffle buffer ", position.buffer, " of ",
                        plan_->mixture.buffers(position.epoch)));
  }
  position_ = position;
  start();
}

void BatchStream::seek_epoch(std::uint64_t epoch) { seek({position_.data, position_.seed, epoch, 0, 0}); }

double BatchStream::seconds_waited() const { return seconds_waited_before_ + prefetcher_->seconds_waited(); }

}  // namespace dhyan
