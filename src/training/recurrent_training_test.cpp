// Recurrent models in training: they learn, and the result does not depend on the number of threads.

#include <gtest/gtest.h>

#include "models/testing/tiny_recurrent.h"
#include "training/testing/trained.h"

namespace dhyan {
namespace {

constexpr Index kWords = 24;

RecurrentConfig small_recurrent() {
  return {
      {.source_vocabulary = kWords, .target_vocabulary = kWords, .hidden = 24, .attention = {.hidden = 16}},
      {.embedding = 16, .output_hidden = 16},
  };
}

Batch twenty_pairs() {
  std::vector<ExampleSize> sizes;
  for (Index i = 0; i < 20; ++i) sizes.push_back({3 + i % 5, 2 + i % 6});
  return random_pairs(1, sizes, kWords, kWords);
}

Trained train(const RecurrentConfig& config, const AdamSteps& options, const LossOptions& loss = {}) {
  const auto model = make_recurrent_model(config, Rng(2));
  const std::vector<Batch> shards = cut_into_shards(twenty_pairs(), options.shards);
  return train_by_adam(model->parameters(), options, [&](Scope& scope, int, Index shard) {
    return model->loss(scope, shards[static_cast<std::size_t>(shard)], loss).loss;
  });
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
    const LossOptions options{.label_smoothing = 0.1, .sampled = 0.2, .r_drop = 2};
    for (const auto& [name, precision] : kPrecisions) {
      const Trained one = train(config, {.threads = 1, .steps = 3, .precision = precision}, options);
      for (const int threads : {2, 3}) {
        const Trained many = train(config, {.threads = threads, .steps = 3, .precision = precision}, options);
        EXPECT_EQ(many.weights, one.weights) << name << ", " << threads;
        EXPECT_EQ(many.losses, one.losses) << name << ", " << threads;
      }
    }
  }
}

TEST(RecurrentTraining, MemorisesTwentyPairs) {
  const auto tokens = static_cast<double>(twenty_pairs().target.size());
  for (const RecurrentConfig& config : three_papers()) {
    for (const auto& [name, precision] : kPrecisions) {
      const Trained trained = train(config, {.steps = 150, .rate = 0.02, .precision = precision});
      EXPECT_GT(trained.losses.front() / tokens, 2) << name;
      EXPECT_LT(trained.losses.back() / tokens, 0.05) << name;
    }
  }
}

}  // namespace
}  // namespace dhyan
