#include "training/rank_shares.h"

#include <algorithm>

#include "training/gradients.h"

namespace dhyan {

ShardDeal::ShardDeal(std::span<const int> threads_of_ranks, int shards) {
  std::vector<int> threads(threads_of_ranks.begin(), threads_of_ranks.end());
  Index all = 0;
  for (const int one : threads) all += one;
  for (; all > std::max(shards, 1); --all) {  // the last of the ranks with the most threads
    auto most = threads.begin();
    for (auto rank = threads.begin(); rank != threads.end(); ++rank) {
      if (*rank >= *most) most = rank;
    }
    --*most;
  }
  for (std::size_t rank = 0; rank < threads.size(); ++rank) {
    round_.insert(round_.end(), static_cast<std::size_t>(threads[rank]), static_cast<int>(rank));
  }
}

int ShardDeal::threads_of(int rank) const { return static_cast<int>(std::ranges::count(round_, rank)); }

std::vector<Index> ShardDeal::shards_of(int rank, Index count) const {
  std::vector<Index> shards;
  for (Index shard = 0; shard < count; ++shard) {
    if (rank_of(shard) == rank) shards.push_back(shard);
  }
  return shards;
}

ElementRange share_of_rank(Index elements, int rank, int ranks) {
  const Index chunks = chunk_count(elements), groups = norm_groups(elements);
  const auto edge = [&](Index r) {
    return groups == 0 ? 0 : std::min(elements, (r * groups / ranks) * chunks / groups * kChunkElements);
  };
  return {edge(rank), edge(rank + 1)};
}

ElementRange part_in(const ElementRange& range, Index first, Index size) {
  const Index begin = std::clamp<Index>(range.begin - first, 0, size);
  return {begin, std::clamp<Index>(range.end - first, begin, size)};
}

}  // namespace dhyan
