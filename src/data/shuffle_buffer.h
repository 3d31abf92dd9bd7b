#pragma once

#include <memory>
#include <stop_token>
#include <vector>

#include "core/thread_pool.h"
#include "data/batch.h"
#include "data/mixture.h"
#include "data/token_cache.h"

namespace dhyan {

// A corpus to train on. The tokenizers are needed for a cache of text only, which is cut into subwords anew each time
// a pair comes up (Tokenizer::encode_sampled); of plain text, target stays null.
struct TrainingCorpus {
  std::shared_ptr<const TokenCache> cache;
  double weight = 1;  // how often an epoch holds each pair
  std::shared_ptr<const Tokenizer> source = nullptr;
  std::shared_ptr<const Tokenizer> target = nullptr;
};

// What pools are made from; never changes.
struct ShuffleBufferPlan {
  std::vector<TrainingCorpus> corpora;
  BatchLimits limits;
  Index context = 0;  // of plain text: tokens a stretch is cut to; 0: sentence pairs
  Mixture mixture;
};

// A part of an epoch in memory: examples sorted by length, and batches of them in the order of training.
class Pool {
 public:
  Index batches() const { return static_cast<Index>(batches_.size()); }
  Batch batch(Index i) const;

 private:
  friend Pool load_shuffle_buffer(const ShuffleBufferPlan&, std::uint64_t, std::uint64_t, Index, ThreadPool&,
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
};

// The same for any number of threads. Comes back early, with anything, when told to stop.
Pool load_shuffle_buffer(const ShuffleBufferPlan& plan, std::uint64_t seed, std::uint64_t epoch, Index pool,
                         ThreadPool& threads, const std::stop_token& stop);

}  // namespace dhyan
