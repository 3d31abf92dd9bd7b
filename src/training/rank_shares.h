#pragma once

#include <span>
#include <vector>

#include "training/chunks.h"

namespace dhyan {

// The shards of a step are dealt to ranks in rounds: in each, a rank gets one neighbouring shard for each of its
// threads. So the sum of gradients, which goes from shard to shard, changes ranks as rarely as all threads can be busy.
class ShardDeal {
 public:
  // Threads that no shard is left for, of the `shards` of a batch, get none.
  ShardDeal(std::span<const int> threads_of_ranks, int shards);

  int rank_of(Index shard) const { return round_[static_cast<std::size_t>(shard % std::ssize(round_))]; }
  int threads_of(int rank) const;

  // The shards below `count` of a rank, ascending.
  std::vector<Index> shards_of(int rank, Index count) const;

 private:
  std::vector<int> round_;  // the rank of each shard of a round
};

// The part of the parameters that each rank updates: whole chunks (training/chunks.h), and whole groups of the chunks
// over which the norm of the gradients is summed (training/gradients.h).
ElementRange share_of_rank(Index elements, int rank, int ranks);

// The part of a range in a parameter that begins at `first` and has `size` elements; relative to the parameter.
ElementRange part_in(const ElementRange& range, Index first, Index size);

}  // namespace dhyan
