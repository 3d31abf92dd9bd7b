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
  Index buffer_tokens = Index{8} << 20;                     // size of a shuffle buffer; two are in memory
  int threads = 1;                                          // that prepare batches; the batches do not depend on it
  std::shared_ptr<const PictureSource> pictures = nullptr;  // for captions: sources are numbers of these
};

// The complete state of a stream.
struct StreamPosition {
  std::uint64_t data = 0;  // fingerprint of corpora and options: seek() rejects a position of other data
  std::uint64_t seed = 0;
  std::uint64_t epoch = 0;
  std::uint64_t buffer = 0;  // of the epoch
  std::uint64_t batch = 0;   // of the buffer

  friend bool operator==(const StreamPosition&, const StreamPosition&) = default;
};

// An endless stream of training batches, epoch after epoch, prepared on its own threads. A pure function of corpora,
// options and seed; see Mixture for the order and ShuffleBuffer for the batches.
class BatchStream {
 public:
  // Reads sentence pairs.
  BatchStream(std::vector<TrainingCorpus> corpora, const BatchOptions& options);

  // Reads plain text, in stretches of up to `context` tokens that cross the ends of lines.
  BatchStream(std::vector<TrainingCorpus> corpora, Index context, const BatchOptions& options);

  ~BatchStream();
  BatchStream(BatchStream&&) noexcept;
  BatchStream& operator=(BatchStream&&) noexcept;

  // Rethrows an exception of the threads that prepare batches.
  Batch next();

  // The position of the batch that next() returns. The epoch is over when its number changes.
  StreamPosition position() const { return position_; }

  // The next batch is, byte for byte, the one that next() would have returned when position() was taken.
  void seek(const StreamPosition& position);
  void seek_epoch(std::uint64_t epoch);  // to its start

  // Seconds that next() has waited for data.
  double seconds_waited() const;

 private:
  BatchStream(ShuffleBufferPlan plan, const BatchOptions& options);

  void start();  // starts preparing batches at position_

  std::shared_ptr<const ShuffleBufferPlan> plan_;
  std::shared_ptr<ThreadPool> threads_;
  StreamPosition position_;
  ShuffleBuffer buffer_;
  bool loaded_ = false;
  double seconds_waited_before_ = 0;                       // for earlier prefetchers
  std::unique_ptr<Prefetcher<ShuffleBuffer>> prefetcher_;  // declared after all members it uses
};

}  // namespace dhyan
