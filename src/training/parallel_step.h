#pragma once

#include <deque>
#include <span>
#include <vector>

#include "autograd/tape.h"
#include "core/thread_pool.h"

namespace dhyan {

// Forward and backward over a batch that is cut into shards. Each shard is computed whole on one thread, on a tape and
// an arena that no other thread uses, into gradients of its own; then these are added up in a fixed order. The number
// of shards, not of threads, fixes the result: the same bytes on 1 thread or 16.
class ParallelStep {
 public:
  // Parameters and pool must outlive it; no parameter may be added later.
  ParallelStep(const ParameterSet& parameters, ThreadPool& pool, int shards);

  struct Losses {
    double sum = 0;
    std::span<const double> by_shard;  // until the next run
  };

  // f(scope, shard) computes the loss of one shard, a scalar, and is called on any thread; a shard with nothing in it
  // returns a constant. Dropout of shard i draws from noise.split(i). What f throws is thrown here.
  template <class F>
  Losses run(const Rng& noise, const F& f) {
    return run_erased(
        noise,
        [](const void* g, Scope& scope, Index shard) -> Var { return (*static_cast<const F*>(g))(scope, shard); }, &f);
  }

  // Of the sum of all losses of the last run.
  GradientSet& gradients() { return gradients_.front(); }
  int shards() const { return static_cast<int>(gradients_.size()); }

 private:
  using Call = Var (*)(const void* f, Scope& scope, Index shard);
  struct Replica {
    explicit Replica(const ParameterSet& parameters) : tape(parameters) {}
    Arena arena;
    Tape tape;
  };

  Losses run_erased(const Rng& noise, Call call, const void* f);
  double run_shard(Replica& replica, Index shard, const Rng& noise, Call call, const void* f);

  ThreadPool& pool_;
  std::deque<Replica> replicas_;
  std::vector<GradientSet> gradients_;  // per shard
  std::vector<double> losses_;          // per shard
};

}  // namespace dhyan
