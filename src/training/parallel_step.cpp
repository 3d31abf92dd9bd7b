#include "training/parallel_step.h"

#include <algorithm>

#include "core/error.h"
#include "training/gradients.h"

namespace dhyan {

namespace {

constexpr std::uint64_t kRetries = std::uint64_t{1} << 32;  // streams of random numbers that no tape uses

// Backward keeps a gradient beside nearly every value, and the rows of weights that are used many times: with these,
// forward is at least a third of all.
constexpr std::size_t kForwardShare = 3;

}  // namespace

ParallelStep::ParallelStep(const ParameterSet& parameters, ThreadPool& pool, int shards, std::size_t shard_bytes)
    : pool_(pool), shard_bytes_(shard_bytes) {
  if (shards < 1) throw ConfigError(cat("ParallelStep: ", shards, " shards, expected at least 1"));
  for (int i = 0; i < std::min(pool.size(), shards); ++i) replicas_.emplace_back(parameters);
  gradients_.reserve(static_cast<std::size_t>(shards));
  for (int i = 0; i < shards; ++i) gradients_.emplace_back(parameters);
  losses_.resize(static_cast<std::size_t>(shards));
}

// Replica r takes the gradients r, r + replicas, ...: always the same ones, so that after the first step its arena is
// as large as it needs to be.
void ParallelStep::run_erased(const Rng& noise, Index count, Call call, const void* f) {
  const auto replicas = static_cast<Index>(replicas_.size());
  pool_.run(replicas, [&](Index r, int) {
    for (Index first = r; first < shards(); first += replicas) {
      GradientSet& gradients = gradients_[static_cast<std::size_t>(first)];
      gradients.clear();
      for (Index number = first; number < count; number += shards()) {
        Shard shard(number, noise.split(static_cast<std::uint64_t>(number)), replicas_[static_cast<std::size_t>(r)],
                    gradients, shard_bytes_);
        call(f, shard);
      }
    }
  });
  sum_shards(pool_, gradients_);
}

std::size_t ParallelStep::shard_peak_bytes() const {
  std::size_t peak = 0;
  for (const Replica& replica : replicas_) peak = std::max(peak, replica.arena.peak_bytes());
  return peak;
}

// What is tried again in parts has masks of its own for each.
Rng ParallelStep::Shard::next_noise() {
  const std::uint64_t tried = tries_++;
  return tried == 0 ? noise_ : noise_.split(kRetries + tried);
}

std::optional<double> ParallelStep::Shard::add_erased(Loss loss, const void* f, Overflow overflow) {
  replica_.tape.start(gradients_, next_noise());
  replica_.arena.reset();
  replica_.arena.set_limit(overflow == Overflow::kRefuse ? bytes_ / kForwardShare : 0);
  Scope scope(replica_.arena, replica_.tape);
  try {
    const Var result = loss(f, scope);
    const double value = result.value().item();
    replica_.arena.set_limit(0);
    if (result.needs_grad()) replica_.tape.backward(result);
    return value;
  } catch (const ArenaFull&) {
    return std::nullopt;
  }
}

}  // namespace dhyan
