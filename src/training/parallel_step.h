#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "autograd/tape.h"
#include "core/function_ref.h"
#include "core/thread_pool.h"
#include "training/ordered_reduction.h"

namespace dhyan {

// What a shard does where it needs more memory than it may have.
enum class Overflow { kRefuse, kAllow };

// Whether another loss of the same shard follows.
enum class Then { kMore, kDone };

// Forward and backward over a batch that is cut into shards. Each shard is computed whole on one thread, on a tape and
// an arena that no other thread uses. There is one set of gradients, to which shards add in turn: each parameter's
// gradient is added up in the order of shards. The number of shards, not of threads, fixes the result: the same bytes
// on 1 thread or 16. What is random in shard i comes from noise.split(i).
class ParallelStep {
 private:
  struct Replica {
    Replica(const ParameterSet& parameters, Precision precision) : tape(parameters, precision) {}
    Arena arena;
    Tape tape;
  };

 public:
  // Parameters and pool must outlive it; no parameter may be added later. As many threads as `shards` are made use of
  // at most. `shard_bytes` is the memory of a shard, 0: any; forward is refused what would leave too little of it for
  // the way back. `precision` is that of its tapes.
  ParallelStep(const ParameterSet& parameters, ThreadPool& pool, int shards, std::size_t shard_bytes = 0,
               Precision precision = Precision::kFull);

  struct Losses {
    double sum = 0;
    std::span<const double> by_shard;  // until the next run
  };

  // f(scope, shard) computes the loss of one shard, a scalar, and is called on any thread; a shard with nothing in it
  // returns a constant. What f throws is thrown here.
  Losses run(const Rng& noise, FunctionRef<Var(Scope& scope, Index shard)> f);

  // A shard on its thread. Any number of losses can be added to it, one after the other.
  class Shard {
   public:
    Index number() const { return number_; }

    // f(scope) computes a loss, a scalar, which is returned once its gradients are added. Nothing, and nothing was
    // added, if its memory is refused.
    std::optional<double> add(FunctionRef<Var(Scope& scope)> f, Overflow overflow, Then then);

   private:
    friend class ParallelStep;
    Shard(Index number, const Rng& noise, ParallelStep& step, Replica& replica)
        : number_(number), noise_(noise), step_(step), replica_(replica) {}

    Rng next_noise();

    Index number_;
    Rng noise_;
    std::uint64_t tries_ = 0;
    ParallelStep& step_;
    Replica& replica_;
  };

  // f(shard) for `count` shards, on any thread. What f throws is thrown here. `poll`, if there is one, is called often,
  // from several threads at once, and may throw, to stop: the gradients are of no use then.
  void run_shards(const Rng& noise, Index count, FunctionRef<void(Shard& shard)> f,
                  const std::function<void()>& poll = {});

  // Of the sum of all losses of the last run.
  GradientSet& gradients() { return gradients_; }
  int shards() const { return static_cast<int>(losses_.size()); }

  std::size_t shard_peak_bytes() const;  // the most that a shard has needed so far

 private:
  ThreadPool& pool_;
  const std::function<void()>* poll_ = nullptr;  // of the run
  std::size_t shard_bytes_;
  std::deque<Replica> replicas_;
  GradientSet gradients_;
  OrderedReduction order_;
  std::vector<double> losses_;  // per shard
};

}  // namespace dhyan
