#include "training/parallel_step.h"

#include <algorithm>

#include "core/error.h"
#include "distributed/message_bytes.h"

namespace dhyan {

namespace {

constexpr std::uint64_t kRetries = std::uint64_t{1} << 32;  // an offset of random streams beyond those of tapes

// Backward holds few gradients at a time, and the gathered rows of weights that are used many times: less memory than
// forward.
constexpr std::size_t kForwardShare = 2;

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

// The reduction order for the tape of one shard. Backward calls it for each parameter, so it polls here.
class ParallelStep::Turns final : public GradientOrder {
 public:
  Turns(ParallelStep& step, const Shard& shard, Then then) : step_(step), shard_(shard), then_(then) {}
  void wait(std::size_t parameter) override {
    if (step_.poll_ != nullptr) (*step_.poll_)();
    step_.order_.wait(parameter, shard_.at_);
    if (step_.chain_) step_.chain_->receive(named(parameter), shard_.number_, gradient(parameter));
  }
  void pass(std::size_t parameter) override {
    if (then_ != Then::kDone) return;
    if (step_.chain_) step_.chain_->send(named(parameter), shard_.number_, gradient(parameter));
    step_.order_.pass(parameter, shard_.at_);
  }

 private:
  const Parameter& named(std::size_t parameter) const {
    return step_.parameters_.begin()[static_cast<std::ptrdiff_t>(parameter)];
  }
  Gradient& gradient(std::size_t parameter) const { return step_.gradients_[named(parameter)]; }

  ParallelStep& step_;
  const Shard& shard_;
  Then then_;
};

ParallelStep::ParallelStep(const ParameterSet& parameters, ThreadPool& pool, int shards, std::size_t shard_bytes,
                           Precision precision)
    : parameters_(parameters),
      pool_(pool),
      shard_bytes_(shard_bytes),
      gradients_(parameters),
      order_(parameters.count()) {
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

void ParallelStep::share_out(const Ranks& ranks) {
  MessageWriter threads;
  threads.number(static_cast<std::int32_t>(pool_.size()));
  std::vector<int> threads_of_ranks;
  for (const Bytes& of_rank : ranks.communicator.all_gather(threads.take())) {
    threads_of_ranks.push_back(MessageReader(of_rank).number<std::int32_t>());
  }
  const ShardDeal deal(threads_of_ranks, shards());
  while (std::ssize(replicas_) > deal.threads_of(ranks.communicator.rank())) replicas_.pop_back();
  chain_ = std::make_unique<GradientChain>(parameters_, ranks, deal);
}

// Replica r takes the shards r, r + replicas, ... of this rank: always the same ones, so that its arena stops growing
// after the first step.
void ParallelStep::run_shards(const Rng& noise, Index count, FunctionRef<void(Shard& shard)> f,
                              const std::function<void()>& poll) {
  poll_ = poll && !chain_ ? &poll : nullptr;
  if (chain_) chain_->start(count);
  const auto replicas = static_cast<Index>(replicas_.size());
  const Index own = chain_ ? std::ssize(chain_->own_shards()) : count;
  gradients_.forget();
  order_.start(own);
  pool_.run(replicas, [&](Index r, int) {
    for (Index at = r; at < own; at += replicas) {
      const FinishShard finish(order_, at);
      if (poll_ != nullptr) (*poll_)();
      const Index number = chain_ ? chain_->own_shards()[static_cast<std::size_t>(at)] : at;
      Shard shard(number, at, noise.split(static_cast<std::uint64_t>(number)), *this,
                  replicas_[static_cast<std::size_t>(r)]);
      run_shard(shard, f);
    }
  });
  if (chain_) chain_->receive_final(parameters_, gradients_);
  gradients_.clear_forgotten();
}

// A shard that fails ends the run on all ranks at once: other threads may be waiting for what never comes.
void ParallelStep::run_shard(Shard& shard, FunctionRef<void(Shard& shard)> f) {
  if (!chain_) return f(shard);
  try {
    f(shard);
    pass_on_rest(shard);
  } catch (const std::exception& error) {
    chain_->fail(error.what());
    throw;
  }
}

// The sums of parameters that the shard has not used go on to the next rank too.
void ParallelStep::pass_on_rest(const Shard& shard) {
  if (!chain_->arrives(shard.number_) && !chain_->departs(shard.number_)) return;
  Turns turns(*this, shard, Then::kDone);
  for (const Parameter& parameter : parameters_) {
    if (parameter.frozen || order_.passed(parameter.index, shard.at_)) continue;
    turns.wait(parameter.index);
    turns.pass(parameter.index);
  }
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
  Turns order(step_, *this, then);
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
