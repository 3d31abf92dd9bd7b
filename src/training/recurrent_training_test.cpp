// Recurrent models in training: what they learn, and that threads leave no trace in it.

#include <gtest/gtest.h>

#include "kernels/runtime.h"
#include "models/recurrent_model.h"
#include "models/tiny_recurrent.h"
#include "training/gradients.h"
#include "training/optimizers.h"
#include "training/parallel_step.h"

namespace dhyan {
namespace {

constexpr Index kWords = 24;

RecurrentConfig small_recurrent() {
  return {.source_vocabulary = kWords,
          .target_vocabulary = kWords,
          .embedding = 16,
          .hidden = 24,
          .attention = {.hidden = 16},
          .output_hidden = 16};
}

Batch twenty_pairs() {
  std::vector<ExampleSize> sizes;
  for (Index i = 0; i < 20; ++i) sizes.push_back({3 + i % 5, 2 + i % 6});
  return random_pairs(1, sizes, kWords, kWords);
}

struct Run {
  int threads = 1;
  int steps = 3;
  double rate = 0.01;
  LossOptions loss = {};
};

struct Trained {
  std::vector<Real> weights;
  std::vector<double> losses;  // per token
};

Trained train(const RecurrentConfig& config, const Run& run) {
  const auto model = make_recurrent_model(config, Rng(2));
  ThreadPool pool = kernels::make_thread_pool(run.threads);
  const std::vector<Batch> shards = cut_into_shards(twenty_pairs(), 3);
  ParallelStep step(model->parameters(), pool, 3);
  const auto optimizer = make_optimizer("adam", model->parameters());
  Trained trained;
  for (int t = 0; t < run.steps; ++t) {
    const auto losses = step.run(Rng(3).split(static_cast<std::uint64_t>(t)), [&](Scope& scope, Index shard) {
      return model->loss(scope, shards[static_cast<std::size_t>(shard)], run.loss).loss;
    });
    trained.losses.push_back(losses.sum / static_cast<double>(twenty_pairs().target.size()));
    clip_by_global_norm(step.gradients(), 5, &pool);
    optimizer->step(model->parameters(), step.gradients(), run.rate, &pool);
  }
  for (const Parameter& weight : model->parameters()) {
    trained.weights.insert(trained.weights.end(), weight.value.span().begin(), weight.value.span().end());
  }
  return trained;
}

std::vector<RecurrentConfig> three_papers() {
  RecurrentConfig rnnsearch = small_recurrent(), luong = small_recurrent(), seq2seq = small_recurrent();
  luong.cell = "lstm";
  luong.directions = Directions::kForward;
  luong.timing = Timing::kAfter;
  luong.attention.score = "general";
  luong.output = OutputKind::kTanh;
  seq2seq.context = ContextKind::kNone;
  return {rnnsearch, luong, seq2seq};
}

TEST(RecurrentTraining, GivesTheSameBytesOnAnyNumberOfThreads) {
  for (RecurrentConfig config : three_papers()) {
    config.dropout = 0.2;
    config.decoder_layers = 2;
    const LossOptions options{.label_smoothing = 0.1, .sampled = 0.2};
    const Trained one = train(config, {.threads = 1, .loss = options});
    for (const int threads : {2, 3}) {
      const Trained many = train(config, {.threads = threads, .loss = options});
      EXPECT_EQ(many.weights, one.weights) << threads;
      EXPECT_EQ(many.losses, one.losses) << threads;
    }
  }
}

TEST(RecurrentTraining, LearnsTwentyPairsByHeart) {
  for (const RecurrentConfig& config : three_papers()) {
    const Trained trained = train(config, {.steps = 150, .rate = 0.02});
    EXPECT_GT(trained.losses.front(), 2);
    EXPECT_LT(trained.losses.back(), 0.05);
  }
}

}  // namespace
}  // namespace dhyan
