#pragma once

#include <condition_variable>
#include <mutex>
#include <vector>

#include "core/real.h"

namespace dhyan {

// Orders the reduction of gradients: for each parameter, shards add their gradients in the order of their index,
// whichever thread finishes first. A shard waits only for shards before it, so threads that take shards in order cannot
// deadlock.
class OrderedReduction {
 public:
  explicit OrderedReduction(std::size_t parameters) : next_(parameters) {}

  void start(Index shards);  // call while no thread waits

  void wait(std::size_t parameter, Index shard);  // until all earlier shards have passed
  void pass(std::size_t parameter, Index shard);  // after wait()
  bool passed(std::size_t parameter, Index shard);
  void finish(Index shard);  // passes all parameters that the shard has not used

 private:
  std::mutex mutex_;
  std::condition_variable passed_;
  std::vector<Index> next_;     // per parameter: the next shard, or one that has finished
  std::vector<bool> finished_;  // per shard
};

}  // namespace dhyan
