#include "training/ordered_reduction.h"

#include <gtest/gtest.h>

#include "core/thread_pool.h"

namespace dhyan {
namespace {

// Runs shards on threads; each records itself at every parameter it uses.
std::vector<std::vector<Index>> order_of_additions(int threads, Index shards,
                                                   const std::vector<std::vector<int>>& uses) {
  constexpr std::size_t kParameters = 3;
  ThreadPool pool(threads);
  OrderedReduction reduction(kParameters);
  std::vector<std::vector<Index>> order(kParameters);
  reduction.start(shards);
  pool.run(shards, [&](Index shard, int) {
    for (const int use : uses[static_cast<std::size_t>(shard)]) {
      const auto parameter = static_cast<std::size_t>(use);
      reduction.wait(parameter, shard);
      order[parameter].push_back(shard);
      reduction.pass(parameter, shard);
    }
    reduction.finish(shard);
  });
  return order;
}

TEST(OrderedReduction, AddsInTheOrderOfShardsOnAnyNumberOfThreads) {
  const std::vector<std::vector<int>> all(40, {0, 1, 2});
  std::vector<Index> numbers;
  for (Index shard = 0; shard < 40; ++shard) numbers.push_back(shard);
  for (const int threads : {1, 2, 5}) {
    for (const auto& order : order_of_additions(threads, 40, all)) EXPECT_EQ(order, numbers) << threads;
  }
}

TEST(OrderedReduction, SkipsShardsThatDoNotUseAParameter) {
  const auto order = order_of_additions(3, 5, {{}, {1, 0}, {2}, {0}, {2, 1}});
  EXPECT_EQ(order, (std::vector<std::vector<Index>>{{1, 3}, {1, 4}, {2, 4}}));
}

TEST(OrderedReduction, StaysWithAShardUntilItPasses) {
  OrderedReduction reduction(1);
  reduction.start(2);
  reduction.wait(0, 0);
  reduction.wait(0, 0);  // again, for something else
  reduction.finish(0);
  reduction.wait(0, 1);
  reduction.start(1);
  reduction.wait(0, 0);
}

}  // namespace
}  // namespace dhyan
