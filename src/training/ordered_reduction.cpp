#include "training/ordered_reduction.h"

#include <algorithm>

namespace dhyan {

void OrderedReduction::start(Index shards) {
  std::ranges::fill(next_, Index{0});
  finished_.assign(static_cast<std::size_t>(shards), false);
}

void OrderedReduction::wait(std::size_t parameter, Index shard) {
  std::unique_lock lock(mutex_);
  passed_.wait(lock, [&] {
    Index& next = next_[parameter];
    while (next < shard && finished_[static_cast<std::size_t>(next)]) ++next;
    return next >= shard;
  });
}

void OrderedReduction::pass(std::size_t parameter, Index shard) {
  const std::lock_guard lock(mutex_);
  next_[parameter] = shard + 1;
  passed_.notify_all();
}

bool OrderedReduction::passed(std::size_t parameter, Index shard) {
  const std::lock_guard lock(mutex_);
  return next_[parameter] > shard;
}

void OrderedReduction::finish(Index shard) {
  const std::lock_guard lock(mutex_);
  finished_[static_cast<std::size_t>(shard)] = true;
  passed_.notify_all();
}

}  // namespace dhyan
