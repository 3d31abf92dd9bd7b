#include "training/training_step.h"

#include <algorithm>
#include <iterator>

#include "core/error.h"
#include "ops/arithmetic.h"
#include "training/gradients.h"
#include "training/rank_exchange.h"

namespace dhyan {

namespace {

constexpr std::uint64_t kNoiseStream = 16;  // of the seed; data loading uses others

std::size_t shard_bytes(const TrainingOptions& options) {
  constexpr std::size_t kMegabyte = std::size_t{1} << 20;
  return static_cast<std::size_t>(options.workspace) * kMegabyte / static_cast<std::size_t>(options.shards);
}

}  // namespace

TrainingStep::TrainingStep(Model& model, ThreadPool& pool, const TrainingOptions& options, const Ranks* ranks)
    : model_(model),
      pool_(pool),
      options_(options),
      optimizer_(make_optimizer(options.optimizer, model.parameters(), options.optimizer_settings)),
      step_(model.parameters(), pool, options.shards, shard_bytes(options), options.precision) {
  if (options.accumulate < 1) throw ConfigError(cat("accumulate is ", options.accumulate, ", expected at least 1"));
  if (ranks != nullptr) {
    step_.share_out(*ranks);
    optimizer_->keep_share(step_.chain()->own_range());
  }
  if (options.ema != 0) average_ = std::make_unique<MovingAverage>(model.parameters(), options.ema);
}

StepResult TrainingStep::take(BatchStream& batches, const Plan& plan, const std::function<void()>& poll) {
  StepResult result;
  std::vector<Batch> shards;
  for (Index i = 0; i < options_.accumulate; ++i) {
    const Batch batch = batches.next();
    result.target_tokens += std::ssize(batch.target);
    result.predictions += model_.predictions(batch);
    std::ranges::move(cut_into_shards(batch, options_.shards), std::back_inserter(shards));
  }
  std::vector<double> nll(shards.size());
  run(shards, plan.number, nll, poll);
  result.gradient_norm = finish_gradients(nll);
  for (const double of_shard : nll) result.nll += of_shard;
  if (result.finite()) update(plan, result);
  return result;
}

// Clips the gradients and returns their norm before; ranks exchange it, and the losses of their shards.
double TrainingStep::finish_gradients(std::span<double> nll) {
  GradientSet& gradients = step_.gradients();
  GradientChain* chain = step_.chain();
  const ElementRange share =
      chain != nullptr ? chain->own_range() : ElementRange{0, model_.parameters().element_count()};
  NormSums sums = norm_sums(gradients, share, &pool_);
  if (chain != nullptr) exchange_sums(*chain, nll, sums);
  const double norm = norm_of(sums);
  if (options_.clip_norm > 0) clip_to_norm(gradients, norm, options_.clip_norm, share, &pool_);
  return norm;
}

// The loss is the mean over the predicted tokens, or the sentences, of all shards.
void TrainingStep::run(std::span<const Batch> shards, Index step, std::span<double> nll,
                       const std::function<void()>& poll) {
  const Rng noise = Rng(options_.seed).split(kNoiseStream).split(static_cast<std::uint64_t>(step - 1));
  Index units = 0;
  for (const Batch& shard : shards) {
    units += options_.loss_norm == LossNorm::kToken ? model_.predictions(shard) : shard.sentences();
  }
  const Real share = Real(1) / static_cast<Real>(std::max<Index>(1, units));
  const auto add_shard = [&](ParallelStep::Shard& shard) {
    const auto at = static_cast<std::size_t>(shard.number());
    nll[at] = add(shard, shards[at], share, Then::kDone);
  };
  step_.run_shards(noise, std::ssize(shards), add_shard, poll);
}

double TrainingStep::add(ParallelStep::Shard& shard, const Batch& part, Real share, Then then) const {
  if (part.sentences() == 0) return 0;
  double nll = 0;
  const auto loss = [&](Scope& scope) {
    const BatchLoss of_part = model_.loss(scope, part, options_.loss);
    nll = of_part.nll;
    return scale(of_part.loss, share);  // []
  };
  const bool whole = options_.workspace == 0 || part.sentences() == 1;  // a sentence cannot be cut
  if (shard.add(loss, whole ? Overflow::kAllow : Overflow::kRefuse, then)) return nll;
  const std::vector<Batch> halves = cut_into_shards(part, 2);
  nll = add(shard, halves[0], share, Then::kMore);
  return nll + add(shard, halves[1], share, then);
}

void TrainingStep::update(const Plan& plan, StepResult& result) {
  ParameterSet& weights = model_.parameters();
  if (plan.measure_update) {
    std::vector<StepLength> chunks = optimizer_->measured_step(weights, step_.gradients(), plan.learning_rate, &pool_);
    if (step_.chain() != nullptr) exchange_lengths(*step_.chain(), chunks);
    const StepLength length = sum_of(chunks);
    result.update_ratio = length.weights > 0 ? std::sqrt(length.moved / length.weights) : 0;
  } else {
    optimizer_->step(weights, step_.gradients(), plan.learning_rate, &pool_);
  }
  if (step_.chain() != nullptr) exchange_weights(*step_.chain(), weights);
  if (average_) average_->add(weights, optimizer_->steps(), &pool_);
}

TrainingStep::Memory TrainingStep::measure(const Batch& batch, const std::function<void()>& poll) {
  const std::vector<Batch> shards = cut_into_shards(batch, options_.shards);
  std::vector<double> nll(shards.size());
  run(shards, 1, nll, poll);
  Memory memory;
  memory.weights = static_cast<std::size_t>(model_.parameters().element_count()) * sizeof(Real);
  memory.gradients = memory.weights;
  const auto bytes_of = [](std::span<const NamedTensor> tensors) {
    std::size_t bytes = 0;
    for (const NamedTensor& tensor : tensors) bytes += static_cast<std::size_t>(tensor.value.size()) * sizeof(Real);
    return bytes;
  };
  memory.optimizer = bytes_of(optimizer_->state()) + (average_ ? bytes_of(average_->state()) : 0);
  memory.arenas = step_.shard_peak_bytes() * static_cast<std::size_t>(step_.threads());
  return memory;
}

}  // namespace dhyan
