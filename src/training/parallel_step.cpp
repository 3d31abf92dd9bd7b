#include "training/parallel_step.h"

#include <algorithm>

#include "core/error.h"

namespace dhyan {

namespace {

constexpr std::uint64_t kRetries = std::uint64_t{1} << 32;  // an offset of random streams beyond those of tapes

// Backward holds few gradients at a time, and the gathered rows of weights that are used many times: less memory than
// forward.
constexpr std::size_t kForwardShare = 2;

// The reduction order for the tape of one shard. Backward calls it for each parameter, so it polls here.
class OrderOfShard final : public GradientOrder {
 public:
  OrderOfShard(OrderedReduction& order, Index shard, Then then, const std::function<void()>* poll)
      : order_(order), shard_(shard), then_(then), poll_(poll) {}
  void wait(std::size_t parameter) override {
    if (poll_ != nullptr) (*poll_)();
    order_.wait(parameter, shard_);
  }
  void pass(std::size_t parameter) override {
    if (then_ == Then::kDone) order_.pass(parameter, shard_);
  }

 private:
  OrderedReduction& order_;
  Index shard_;
  Then then_;
  const std::function<void()>* poll_;
};

// Later shards continue even if this one throws.
class FinishShard {
 public:
  FinishShard(OrderedReduction& order, Index shard) : order_(order), shard_(shard) {}
  ~FinishShard() { order_.finish(shard_); }
  FinishShard(const FinishShard&) = delete;
  FinishShard& operator=(const FinishShard&) = delete;

 private:
  OrderedReduction& order_;
  Index shard_;
};

}  // namespace

ParallelStep::ParallelStep(const ParameterSet& parameters, ThreadPool& pool, int shards, std::size_t shard_bytes,
                           Precision precision)
    : pool_(pool), shard_bytes_(shard_bytes), gradients_(parameters), order_(parameters.count()) {
  if (shards < 1) throw ConfigError(cat("ParallelStep: ", shards, " shards, expected at least 1"));
  for (int i = 0; i < std::min(pool.size(), shards); ++i) replicas_.emplace_back(parameters, precision);
  losses_.resize(static_cast<std::size_t>(shards));
}

ParallelStep::Losses ParallelStep::run(const Rng& noise, FunctionRef<Var(Scope& scope, Index shard)> f) {
  run_shards(noise, shards(), [&](Shard& shard) {
    const auto loss = [&](Scope& scope) { return f(scope, shard.number()); };
    losses_[static_cast<std::size_t>(shard.number())] = *shard.add(loss, Overflow::kAllow, Then::kDone);
  });
  Losses losses{0, losses_};
  for (const double loss : losses_) losses.sum += loss;
  return losses;
}

// Replica r takes the shards r, r + replicas, ...: always the same ones, so that its arena stops growing after the
// first step.
void ParallelStep::run_shards(const Rng& noise, Index count, FunctionRef<void(Shard& shard)> f,
                              const std::function<void()>& poll) {
  poll_ = poll ? &poll : nullptr;
  const auto replicas = static_cast<Index>(replicas_.size());
  gradients_.forget();
  order_.start(count);
  pool_.run(replicas, [&](Index r, int) {
    for (Index number = r; number < count; number += replicas) {
      const FinishShard finish(order_, number);
      if (poll_ != nullptr) (*poll_)();
      Shard shard(number, noise.split(static_cast<std::uint64_t>(number)), *this,
                  replicas_[static_cast<std::size_t>(r)]);
      f(shard);
    }
  });
  gradients_.clear_forgotten();
}

std::size_t ParallelStep::shard_peak_bytes() const {
  std::size_t peak = 0;
  for (const Replica& replica : replicas_) peak = std::max(peak, replica.arena.peak_bytes());
  return peak;
}

// The parts of a shard that is split and tried again draw their own dropout masks.
Rng ParallelStep::Shard::next_noise() {
  const std::uint64_t tried = tries_++;
  return tried == 0 ? noise_ : noise_.split(kRetries + tried);
}

std::optional<double> ParallelStep::Shard::add(FunctionRef<Var(Scope& scope)> f, Overflow overflow, Then then) {
  OrderOfShard order(step_.order_, number_, then, step_.poll_);
  replica_.tape.start(step_.gradients_, next_noise(), &order);
  replica_.arena.reset();
  replica_.arena.set_limit(overflow == Overflow::kRefuse ? step_.shard_bytes_ / kForwardShare : 0);
  Scope scope(replica_.arena, replica_.tape);
  try {
    const Var result = f(scope);
    const double value = result.value().item();
    replica_.arena.set_limit(0);
    if (result.needs_grad()) replica_.tape.backward(result);
    return value;
  } catch (const ArenaFull&) {
    return std::nullopt;
  }
}

}  // namespace dhyan
