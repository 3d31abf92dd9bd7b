#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "autograd/tape.h"
#include "core/function_ref.h"
#include "core/thread_pool.h"
#include "training/gradient_chain.h"
#include "training/ordered_reduction.h"

namespace dhyan {

// The behaviour of a shard that exceeds its memory.
enum class Overflow { kRefuse, kAllow };

// Whether the same shard adds another loss.
enum class Then { kMore, kDone };

// Forward and backward over the shards of a batch. One thread computes a shard, with its own tape and arena. There is
// one set of gradients, to which shards add in order (OrderedReduction): the number of shards, not of threads,
// determines the result, so 1 thread and 16 give the same bytes. Shard i draws its random numbers from noise.split(i).
class ParallelStep {
 private:
  struct Replica {
    Replica(const ParameterSet& parameters, Precision precision) : tape(parameters, precision) {}
    Arena arena;
    Tape tape;
  };

 public:
  // Parameters and pool must outlive it; no parameter may be added later. Uses at most `shards` threads. `shard_bytes`
  // is the memory limit of a shard, 0: none; the forward pass fails if it would leave too little for the backward pass.
  // `precision` is that of the tapes.
  ParallelStep(const ParameterSet& parameters, ThreadPool& pool, int shards, std::size_t shard_bytes = 0,
               Precision precision = Precision::kFull);

  // Before the first run: shares out the shards of each run over ranks (GradientChain). All of them run with the same
  // count; gradients() is then right in the elements that this rank updates, and run_shards() does not poll.
  void share_out(const Ranks& ranks);

  struct Losses {
    double sum = 0;
    std::span<const double> by_shard;  // until the next run
  };

  // f(scope, shard) computes the loss of one shard, a scalar, on any thread; an empty shard returns a constant.
  // Exceptions of f are rethrown here.
  Losses run(const Rng& noise, FunctionRef<Var(Scope& scope, Index shard)> f);

  // A shard on its thread. It may add any number of losses, in sequence.
  class Shard {
   public:
    Index number() const { return number_; }

    // f(scope) computes a scalar loss; returns it after adding its gradients. Returns nullopt, and adds nothing, if it
    // exceeds the memory limit.
    std::optional<double> add(FunctionRef<Var(Scope& scope)> f, Overflow overflow, Then then);

   private:
    friend class ParallelStep;
    Shard(Index number, Index at, const Rng& noise, ParallelStep& step, Replica& replica)
        : number_(number), at_(at), noise_(noise), step_(step), replica_(replica) {}

    Rng next_noise();

    Index number_;
    Index at_;  // among the shards of this rank
    Rng noise_;
    std::uint64_t tries_ = 0;
    ParallelStep& step_;
    Replica& replica_;
  };

  // Calls f(shard) for `count` shards, on any thread. Exceptions of f are rethrown here. `poll` is called often, from
  // several threads at once, and may throw to stop: the gradients are then unusable.
  void run_shards(const Rng& noise, Index count, FunctionRef<void(Shard& shard)> f,
                  const std::function<void()>& poll = {});

  GradientChain* chain() { return chain_.get(); }  // null: there is one rank

  // Gradients of the sum of all losses of the last run.
  GradientSet& gradients() { return gradients_; }
  int threads() const { return static_cast<int>(replicas_.size()); }  // that work on shards
  int shards() const { return static_cast<int>(losses_.size()); }

  std::size_t shard_peak_bytes() const;  // the largest of any shard so far

 private:
  class Turns;
  void run_shard(Shard& shard, FunctionRef<void(Shard& shard)> f);
  void pass_on_rest(const Shard& shard);

  const ParameterSet& parameters_;
  ThreadPool& pool_;
  const std::function<void()>* poll_ = nullptr;  // of the run
  std::size_t shard_bytes_;
  std::deque<Replica> replicas_;
  std::unique_ptr<GradientChain> chain_;
  GradientSet gradients_;
  OrderedReduction order_;
  std::vector<double> losses_;  // per shard
};

}  // namespace dhyan
