#pragma once

#include "autograd/testing/all_weights.h"
#include "kernels/simd/runtime.h"
#include "training/gradients.h"
#include "training/optimizers.h"
#include "training/parallel_step.h"

namespace dhyan {

// For tests of training: a few steps of Adam, and their results.
struct AdamSteps {
  int threads = 1;
  int shards = 4;
  int steps = 20;
  double rate = 0.01;
  Precision precision = Precision::kFull;
};

struct Trained {
  std::vector<Real> weights;
  std::vector<double> losses;  // of each step, summed over its shards
};

// f(scope, step, shard) computes the loss of a shard, as in ParallelStep::run.
template <class F>
Trained train_by_adam(ParameterSet& parameters, const AdamSteps& options, const F& f) {
  ThreadPool pool = kernels::make_thread_pool(options.threads);
  ParallelStep step(parameters, pool, options.shards, 0, options.precision);
  const auto optimizer = make_optimizer("adam", parameters);
  Trained trained;
  for (int t = 0; t < options.steps; ++t) {
    const auto losses = step.run(Rng(7).split(static_cast<std::uint64_t>(t)),
                                 [&](Scope& scope, Index shard) { return f(scope, t, shard); });
    trained.losses.push_back(losses.sum);
    clip_by_global_norm(step.gradients(), 5, &pool);
    optimizer->step(parameters, step.gradients(), options.rate, &pool);
  }
  trained.weights = all_weights(parameters);
  return trained;
}

}  // namespace dhyan
