#include "training/parallel_step.h"

#include <algorithm>

#include "core/error.h"
#include "training/gradients.h"

namespace dhyan {

ParallelStep::ParallelStep(const ParameterSet& parameters, ThreadPool& pool, int shards) : pool_(pool) {
  if (shards < 1) throw ConfigError(cat("ParallelStep: ", shards, " shards, expected at least 1"));
  for (int i = 0; i < std::min(pool.size(), shards); ++i) replicas_.emplace_back(parameters);
  gradients_.reserve(static_cast<std::size_t>(shards));
  for (int i = 0; i < shards; ++i) gradients_.emplace_back(parameters);
  losses_.resize(static_cast<std::size_t>(shards));
}

// Replica r takes the shards r, r + replicas, ...: always the same ones, so that after the first step its arena is as
// large as it needs to be.
ParallelStep::Losses ParallelStep::run_erased(const Rng& noise, Call call, const void* f) {
  const auto replicas = static_cast<Index>(replicas_.size());
  pool_.run(replicas, [&](Index r, int) {
    for (Index shard = r; shard < shards(); shard += replicas) {
      losses_[static_cast<std::size_t>(shard)] = run_shard(replicas_[static_cast<std::size_t>(r)], shard,
                                                           noise.split(static_cast<std::uint64_t>(shard)), call, f);
    }
  });
  sum_shards(pool_, gradients_);
  Losses losses{0, losses_};
  for (const double loss : losses_) losses.sum += loss;
  return losses;
}

double ParallelStep::run_shard(Replica& replica, Index shard, const Rng& noise, Call call, const void* f) {
  GradientSet& gradients = gradients_[static_cast<std::size_t>(shard)];
  gradients.clear();
  replica.tape.start(gradients, noise);
  replica.arena.reset();
  Scope scope(replica.arena, replica.tape);
  const Var loss = call(f, scope, shard);
  const double value = loss.value().item();
  if (loss.needs_grad()) replica.tape.backward(loss);
  return value;
}

}  // namespace dhyan
