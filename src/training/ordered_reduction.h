#pragma once

#include <condition_variable>
#include <mutex>
#include <vector>

#include "core/real.h"

namespace dhyan {

// Lets the shards of a step add to the gradient of each parameter one after the other, shard 0 first, whichever thread
// comes first. A shard waits for those before it alone, so that threads which take their shards in order cannot wait
// for each other.
class OrderedReduction {
 public:
  explicit OrderedReduction(std::size_t parameters) : next_(parameters) {}

  void start(Index shards);  // no thread may be waiting

  void wait(std::size_t parameter, Index shard);  // until it is the shard's turn
  void pass(std::size_t parameter, Index shard);  // after wait()
  void finish(Index shard);                       // passes whatever it has not: used or not

 private:
  std::mutex mutex_;
  std::condition_variable passed_;
  std::vector<Index> next_;     // per parameter: the shard whose turn it is, or one that has finished
  std::vector<bool> finished_;  // per shard
};

}  // namespace dhyan
