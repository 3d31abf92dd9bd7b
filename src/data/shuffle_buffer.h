#pragma once

#include <memory>
#include <stop_token>
#include <vector>

#include "core/thread_pool.h"
#include "data/batch.h"
#include "data/drawn_corpus.h"
#include "data/mixture.h"
#include "data/token_cache.h"

namespace dhyan {

// A corpus to train on, cached or drawn. Only a cache of text needs the tokenizers: it samples another segmentation of
// a pair each time the pair is used (Tokenizer::encode_sampled). For plain text, target is null.
struct TrainingCorpus {
  std::shared_ptr<const TokenCache> cache;
  double weight = 1;  // how often an epoch holds each pair
  std::shared_ptr<const Tokenizer> source = nullptr;
  std::shared_ptr<const Tokenizer> target = nullptr;
  std::shared_ptr<const DrawnCorpus> drawn = nullptr;  // instead of a cache

  Index pairs() const { return drawn ? drawn->pairs() : cache->pairs(); }
  Index tokens() const { return drawn ? drawn->tokens() : cache->tokens(); }  // of both sides
};

// The immutable inputs of all shuffle buffers of a training.
struct ShuffleBufferPlan {
  std::vector<TrainingCorpus> corpora;
  BatchLimits limits;
  Index context = 0;  // for plain text: tokens per stretch; 0: sentence pairs
  Mixture mixture;
  std::shared_ptr<const PictureSource> pictures = nullptr;  // for captions: sources are numbers of these
};

// A part of an epoch in memory: its examples sorted by length, and the batches they form, shuffled.
class ShuffleBuffer {
 public:
  Index batches() const { return static_cast<Index>(batches_.size()); }
  Batch batch(Index i) const;

 private:
  friend ShuffleBuffer load_shuffle_buffer(const ShuffleBufferPlan&, std::uint64_t, std::uint64_t, Index, ThreadPool&,
                                           const std::stop_token&);

  struct Item {
    std::uint64_t number;
    std::uint32_t chunk;                        // of tokens_
    std::uint32_t source_begin, source_length;  // in the chunk
    std::uint32_t target_begin, target_length;
    std::uint32_t links_begin = 0, links_length = 0;
  };
  struct Chunk;
  class ChunkReader;
  struct Range {
    std::size_t begin, end;  // of items_
  };

  void order(const BatchLimits& limits, Rng rng);

  std::vector<std::vector<TokenId>> tokens_;   // by chunk
  std::vector<std::vector<TokenLink>> links_;  // by chunk
  std::vector<Item> items_;
  std::vector<Range> batches_;
  std::shared_ptr<const PictureSource> pictures_;
};

// The result does not depend on the number of threads. Returns early, with an unspecified result, if stop is requested.
ShuffleBuffer load_shuffle_buffer(const ShuffleBufferPlan& plan, std::uint64_t seed, std::uint64_t epoch, Index buffer,
                                  ThreadPool& threads, const std::stop_token& stop);

}  // namespace dhyan
