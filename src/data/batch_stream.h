#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "data/batch.h"
#include "data/prefetcher.h"
#include "data/shuffle_buffer.h"

namespace dhyan {

struct BatchOptions {
  std::uint64_t seed = 1;
  BatchLimits limits = {};
  Index pool_tokens = Index{8} << 20;  // among which sentences of like length are sought; two pools are in memory
  int threads = 1;                     // that prepare; the batches do not depend on it
};

// Where a stream stands: all of it, in numbers.
struct StreamPosition {
  std::uint64_t data = 0;  // fingerprint of corpora and options: a position of other data means nothing
  std::uint64_t seed = 0;
  std::uint64_t epoch = 0;
  std::uint64_t pool = 0;   // of the epoch
  std::uint64_t batch = 0;  // of the pool

  friend bool operator==(const StreamPosition&, const StreamPosition&) = default;
};

// Batches of training, epoch after epoch without end, prepared on threads of its own. A pure function of corpora,
// options and seed; see Mixture for the order and Pool for the batches.
class BatchStream {
 public:
  // Of sentence pairs.
  BatchStream(std::vector<TrainingCorpus> corpora, const BatchOptions& options);

  // Of plain text, in stretches of up to `context` tokens that run on over the ends of lines.
  BatchStream(std::vector<TrainingCorpus> corpora, Index context, const BatchOptions& options);

  ~BatchStream();
  BatchStream(BatchStream&&) noexcept;
  BatchStream& operator=(BatchStream&&) noexcept;

  // Throws what preparing it threw.
  Batch next();

  // Of the batch that next() gives. The epoch is over when its number changes.
  StreamPosition position() const { return position_; }

  // The next batch is the one that next() would have given when position() was taken, byte for byte.
  void seek(const StreamPosition& position);
  void seek_epoch(std::uint64_t epoch);  // its begin

  // Time that next() spent waiting for data.
  double seconds_waited() const;

 private:
  BatchStream(ShuffleBufferPlan plan, const BatchOptions& options);

  void start();  // preparing, from position_ on

  std::shared_ptr<const ShuffleBufferPlan> plan_;
  std::shared_ptr<ThreadPool> threads_;
  StreamPosition position_;
  Pool pool_;
  bool loaded_ = false;
  double seconds_waited_before_ = 0;              // by prefetchers that are gone
  std::unique_ptr<Prefetcher<Pool>> prefetcher_;  // after all that it uses
};

}  // namespace dhyan
