#include "training/parallel_step.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "ops/arithmetic.h"
#include "ops/reductions.h"
#include "training/testing/tiny_model.h"
#include "training/testing/trained.h"

namespace dhyan {
namespace {

Trained twenty_steps(const AdamSteps& options, double dropped = 0.3) {
  TinyModel model;
  return train_by_adam(model.parameters(), options, [&](Scope& scope, int step, Index shard) {
    const TinyBatch batch(static_cast<std::uint64_t>(step), 45);
    return model.loss(scope, TinyBatch::cut(batch.from, shard, options.shards),
                      TinyBatch::cut(batch.to, shard, options.shards), dropped);
  });
}

TEST(ParallelStep, GivesTheSameBytesOnAnyNumberOfThreads) {
  const Trained one = twenty_steps({.threads = 1});
  for (const int threads : {2, 5}) {
    const Trained many = twenty_steps({.threads = threads});
    EXPECT_EQ(many.weights, one.weights) << threads;
    EXPECT_EQ(many.losses, one.losses) << threads;
  }
  EXPECT_LT(one.losses.back(), 0.9 * one.losses.front());
  EXPECT_NE(twenty_steps({}, 0).weights, one.weights);
}

TEST(ParallelStep, ChangesOnlyTheRoundingWithTheNumberOfShards) {
  const Trained one = twenty_steps({.shards = 1}, 0);
  for (const int shards : {2, 3, 7, 60}) {  // 60: some are empty
    const Trained many = twenty_steps({.threads = 2, .shards = shards}, 0);
    for (std::size_t i = 0; i < one.weights.size(); ++i) EXPECT_NEAR(many.weights[i], one.weights[i], 1e-3) << i;
    for (std::size_t t = 0; t < one.losses.size(); ++t) EXPECT_NEAR(many.losses[t], one.losses[t], 1e-2) << t;
  }
}

// loss_i = (i+1) sum(w): by hand, the gradient is the sum of 1..shards, and a second run starts from zero again.
TEST(ParallelStep, SumsLossesAndGradientsOfAllShards) {
  ThreadPool pool(2);
  ParameterSet parameters;
  const Parameter& w = parameters.add("w", {3});
  w.value.fill(2);
  ParallelStep step(parameters, pool, 5);
  EXPECT_EQ(step.shards(), 5);
  for (int round = 0; round < 2; ++round) {
    const auto losses = step.run(Rng(1), [&](Scope& scope, Index shard) {
      Var loss = sum(scope.parameter(w));
      for (Index i = 0; i < shard; ++i) loss = add(loss, sum(scope.parameter(w)));
      return loss;
    });
    EXPECT_EQ(losses.sum, 90);
    EXPECT_EQ(std::vector<double>(losses.by_shard.begin(), losses.by_shard.end()),
              (std::vector<double>{6, 12, 18, 24, 30}));
    for (const Real x : step.gradients()[w].value().span()) EXPECT_EQ(x, 15);
  }
}

TEST(ParallelStep, AcceptsAConstantFromAnEmptyShard) {
  ThreadPool pool(1);
  ParameterSet parameters;
  const Parameter& w = parameters.add("w", {2});
  ParallelStep step(parameters, pool, 2);
  const auto losses = step.run(Rng(1), [&](Scope& scope, Index shard) {
    return shard == 0 ? sum(scope.parameter(w)) : scope.constant(Tensor::of({}, {0}));
  });
  EXPECT_EQ(losses.sum, 0);
  EXPECT_EQ(step.gradients()[w].value().span()[0], 1);
}

TEST(ParallelStep, GivesEveryShardItsOwnNoise) {
  ThreadPool pool(2);
  ParameterSet parameters;
  ParallelStep step(parameters, pool, 3);
  const auto losses = step.run(Rng(5), [&](Scope& scope, Index) {
    return scope.constant(Tensor::of({}, {static_cast<Real>(scope.tape()->next_noise().uniform())}));
  });
  for (std::uint64_t i = 0; i < 3; ++i) {
    EXPECT_EQ(losses.by_shard[i], static_cast<Real>(Rng(5).split(i).split(0).uniform())) << i;
  }
}

TEST(ParallelStep, RethrowsExceptionsOfShardsAndCanRunAgain) {
  ThreadPool pool(2);
  TinyModel model;
  ParallelStep step(model.parameters(), pool, 4);
  const TinyBatch batch(1, 20);
  const auto run = [&](Index bad) {
    return step.run(Rng(1), [&](Scope& scope, Index shard) {
      const Var loss = model.loss(scope, TinyBatch::cut(batch.from, shard, 4), TinyBatch::cut(batch.to, shard, 4), 0);
      if (shard == bad) throw DataError("shard 2 is bad");
      return loss;
    });
  };
  const double before = run(-1).sum;
  const double norm = global_norm(step.gradients());
  EXPECT_EQ(thrown<DataError>([&] { run(2); }), "shard 2 is bad");
  EXPECT_EQ(run(-1).sum, before);
  EXPECT_EQ(global_norm(step.gradients()), norm);
}

TEST(ParallelStep, RefusesALossThatIsNotAScalarAndZeroShards) {
  ThreadPool pool(1);
  ParameterSet parameters;
  const Parameter& w = parameters.add("w", {2});
  ParallelStep step(parameters, pool, 1);
  EXPECT_EQ(thrown<ShapeError>([&] { step.run(Rng(1), [&](Scope& scope, Index) { return scope.parameter(w); }); }),
            "Tensor::item: shape is [2], expected one element");
  EXPECT_EQ(thrown<ConfigError>([&] { ParallelStep(parameters, pool, 0); }),
            "ParallelStep: 0 shards, expected at least 1");
}

// Seven shards on two threads; each adds twice its number plus one.
TEST(ParallelStep, AcceptsMoreShardsThanItsThreads) {
  for (const int threads : {1, 2}) {
    ThreadPool pool(threads);
    ParameterSet parameters;
    const Parameter& w = parameters.add("w", {1});
    w.value.fill(1);
    ParallelStep step(parameters, pool, 2);
    for (int round = 0; round < 2; ++round) {
      step.run_shards(Rng(1), 7, [&](ParallelStep::Shard& shard) {
        const auto factor = static_cast<Real>(shard.number() + 1);
        for (const Then then : {Then::kMore, Then::kDone}) {
          const auto loss = [&](Scope& scope) { return scale(sum(scope.parameter(w)), factor); };
          EXPECT_EQ(shard.add(loss, Overflow::kRefuse, then), factor);
        }
      });
      EXPECT_EQ(step.gradients()[w].value().span()[0], 56);
    }
  }
}

TEST(ParallelStep, RefusesALossAboveTheMemoryLimitAndAddsNothing) {
  ThreadPool pool(1);
  ParameterSet parameters;
  const Parameter& w = parameters.add("w", {1000});
  ParallelStep step(parameters, pool, 1, 9000);
  step.run_shards(Rng(1), 1, [&](ParallelStep::Shard& shard) {
    const auto loss = [&](Scope& scope) { return sum(scale(scope.parameter(w), 2)); };  // over 4000 bytes
    EXPECT_FALSE(shard.add(loss, Overflow::kRefuse, Then::kDone));
    EXPECT_TRUE(shard.add(loss, Overflow::kAllow, Then::kDone));
  });
  EXPECT_EQ(step.gradients()[w].value().span()[0], 2) << "once";
}

TEST(ParallelStep, StopsWhenThePollThrowsInForwardOrBackward) {
  struct GivenUp {};
  ThreadPool pool(1);
  ParameterSet parameters;
  const Parameter &a = parameters.add("a", {1}), &b = parameters.add("b", {1});
  ParallelStep step(parameters, pool, 1);
  const auto add = [&](ParallelStep::Shard& shard) {
    const auto loss = [&](Scope& scope) { return sum(multiply(scope.parameter(a), scope.parameter(b))); };
    shard.add(loss, Overflow::kAllow, Then::kDone);
  };
  int in_all = 0;
  step.run_shards(Rng(1), 2, add, [&] { ++in_all; });
  EXPECT_EQ(in_all, 2 * (1 + 2)) << "once for each shard and for each parameter on its way back";
  for (int last = 1; last <= in_all; ++last) {
    int polls = 0;
    const auto poll = [&] {
      if (++polls == last) throw GivenUp();
    };
    EXPECT_THROW(step.run_shards(Rng(1), 2, add, poll), GivenUp);
    EXPECT_EQ(polls, last);
  }
  step.run_shards(Rng(1), 2, add);
}

}  // namespace
}  // namespace dhyan
