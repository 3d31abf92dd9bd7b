#include "training/training_step.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/temporary_folder.h"
#include "data/testing/number_corpus.h"
#include "kernels/simd/runtime.h"
#include "models/recurrent_model.h"
#include "models/transformer_model.h"

namespace dhyan {
namespace {

constexpr Index kNumbers = 30;

// Sentences of 1 to 12 numbers, translated to themselves.
std::vector<SentencePair> copies(int count) {
  std::vector<SentencePair> pairs;
  Rng rng(3);
  for (int i = 0; i < count; ++i) {
    SentencePair pair;
    for (std::uint64_t words = 1 + rng.below(12); words > 0; --words) {
      pair.source += cat(pair.source.empty() ? "" : " ", 5 + rng.below(20));
    }
    pair.target = pair.source;
    pairs.push_back(pair);
  }
  return pairs;
}

// A model and data for a few steps; the same every time.
struct Steps {
  explicit Steps(const TrainingOptions& given, int threads = 2)
      : options(given), pool(kernels::make_thread_pool(threads)) {
    const NumberTokenizer tokens(1, kNumbers);
    FakePairs pairs(copies(200));
    build_token_cache(folder.path("cache"), pairs, 1, {.source = &tokens, .target = &tokens});
    cache = std::make_shared<const TokenCache>(folder.path("cache"));
    RecurrentConfig config{{.source_vocabulary = kNumbers, .target_vocabulary = kNumbers}, {}};
    config.embedding = config.hidden = config.output_hidden = 16;
    config.dropout = 0;
    model = make_recurrent_model(config, Rng(1));
    batches = std::make_unique<BatchStream>(std::vector<TrainingCorpus>{{.cache = cache}},
                                            BatchOptions{.seed = 1, .limits = options.batch});
    step = std::make_unique<TrainingStep>(*model, pool, options);
  }

  std::vector<Real> weights() const {
    std::vector<Real> all;
    for (const Parameter& weight : model->parameters()) {
      all.insert(all.end(), weight.value.span().begin(), weight.value.span().end());
    }
    return all;
  }

  std::vector<double> take(Index count) {
    std::vector<double> losses;
    for (Index i = 1; i <= count; ++i) {
      const StepResult result = step->take(*batches, {.number = i, .learning_rate = 0.1});
      losses.push_back(result.nll / static_cast<double>(result.predictions));
    }
    return losses;
  }

  TemporaryFolder folder;
  TrainingOptions options;
  ThreadPool pool;
  std::shared_ptr<const TokenCache> cache;
  std::unique_ptr<TranslationModel> model;
  std::unique_ptr<BatchStream> batches;
  std::unique_ptr<TrainingStep> step;
};

TrainingOptions step_options() {
  TrainingOptions options;
  options.optimizer = "sgd";
  options.batch = {.max_tokens = 100, .max_sentences = 100};
  return options;
}

void expect_close(const std::vector<Real>& a, const std::vector<Real>& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], tolerance) << i;
}

// All sentences in one batch, and the same sentences in four batches of one step.
TEST(TrainingSteps, OverSeveralBatchesEqualOneOverALargeBatch) {
  TrainingOptions options = step_options();
  options.batch = {.max_tokens = 100'000, .max_sentences = 200};
  Steps large(options);
  options.batch.max_sentences = 50;
  options.accumulate = 4;
  Steps parts(options);
  options.accumulate = 1;
  Steps alone(options);
  const std::vector<Real> before = large.weights();
  const double loss = large.take(1).front();
  EXPECT_NEAR(parts.take(1).front(), loss, 1e-5);
  EXPECT_EQ(parts.batches->position().epoch, 1u) << "all four were read";
  expect_close(parts.weights(), large.weights(), 1e-6);
  alone.take(1);
  EXPECT_NE(alone.weights(), large.weights());
  EXPECT_NE(before, large.weights());
  options.accumulate = 0;
  EXPECT_THROW(Steps{options}, ConfigError);
}

TEST(TrainingSteps, SplitShardsFurtherInASmallWorkspace) {
  TrainingOptions options = step_options();
  options.shards = 2;
  options.batch = {.max_tokens = 2000, .max_sentences = 1000};
  Steps free(options);
  const TrainingStep::Memory needed = free.step->measure(free.batches->next());
  free.batches->seek_epoch(0);
  options.workspace = 2;
  ASSERT_GT(needed.arenas, std::size_t{4} << 20) << "or there is nothing to cut";
  Steps small(options);
  const TrainingStep::Memory used = small.step->measure(small.batches->next());
  small.batches->seek_epoch(0);
  EXPECT_LE(used.arenas, std::size_t{2} << 20);
  const std::vector<double> losses = free.take(3), cut = small.take(3);
  for (std::size_t i = 0; i < losses.size(); ++i) EXPECT_NEAR(cut[i], losses[i], 1e-4);
  expect_close(small.weights(), free.weights(), 1e-4);
}

TEST(TrainingSteps, AreTheSameOnAnyNumberOfThreadsInASmallWorkspace) {
  TrainingOptions options = step_options();
  options.batch = {.max_tokens = 2000, .max_sentences = 1000};
  options.workspace = 1;
  Steps one(options, 1), three(options, 3);
  EXPECT_EQ(one.take(3), three.take(3));
  EXPECT_EQ(one.weights(), three.weights());
}

TEST(TrainingSteps, KnowTheMemoryTheyNeed) {
  TrainingOptions options = step_options();
  options.optimizer = "adam";
  options.shards = 3;
  options.ema = 0.9;
  Steps steps(options);
  const std::vector<Real> before = steps.weights();
  const TrainingStep::Memory memory = steps.step->measure(steps.batches->next());
  EXPECT_EQ(memory.weights, before.size() * sizeof(Real));
  EXPECT_EQ(memory.gradients, memory.weights) << "however many shards there are";
  EXPECT_EQ(memory.optimizer, 3 * memory.weights) << "two of adam, one average";
  EXPECT_GT(memory.arenas, 0u);
  EXPECT_EQ(steps.weights(), before) << "it was a trial";
}

TransformerConfig transformer_of(Index layers) {
  return {{.source_vocabulary = kNumbers,
           .target_vocabulary = kNumbers,
           .hidden = 32,
           .encoder_layers = layers,
           .decoder_layers = layers,
           .attention = {.score = "scaled_dot", .heads = 8},
           .dropout = 0.1},
          {.feed_forward = 64}};
}

// The memory of backward in addition to forward: forward's share of a shard's memory must leave enough for it.
TEST(TrainingSteps, StayWithinTheWorkspaceForTransformers) {
  TrainingOptions options = step_options();
  options.shards = 1;
  options.workspace = 2;
  options.batch = {.max_tokens = 2000, .max_sentences = 1000};
  Steps steps(options);
  const TransformerConfig config = transformer_of(2);  // a sentence, which cannot be cut, fits
  const auto model = make_transformer_model(config, Rng(1));
  TrainingStep step(*model, steps.pool, options);
  EXPECT_LE(step.measure(steps.batches->next()).arenas, std::size_t{2} << 20);
}

// Bytes of an arena after the forward pass and after the backward pass.
std::pair<double, double> bytes_of(Model& model, const Batch& batch) {
  GradientSet gradients(model.parameters());
  Arena arena;
  Tape tape(model.parameters());
  tape.start(gradients, Rng(1));
  Scope scope(arena, tape);
  const Var loss = model.loss(scope, batch).loss;
  const auto forward = static_cast<double>(arena.used_bytes());
  tape.backward(loss);
  return {forward, static_cast<double>(arena.used_bytes())};
}

TEST(TrainingSteps, NeedLittleMoreMemoryInBackwardThanInForward) {
  TrainingOptions options = step_options();
  options.batch = {.max_tokens = 2000, .max_sentences = 1000};
  Steps steps(options);
  const Batch batch = steps.batches->next();
  const auto transformer = make_transformer_model(transformer_of(6), Rng(1));
  const auto [forward, all] = bytes_of(*transformer, batch);
  EXPECT_LT(all, 1.1 * forward);
  const auto [recurrent_forward, recurrent_all] = bytes_of(*steps.model, batch);
  EXPECT_LT(recurrent_all, 1.4 * recurrent_forward) << "with the rows that weights gather";
}

TEST(TrainingStep, TakesTheMeanOverTokensOrOverSentences) {
  TrainingOptions options = step_options();
  options.clip_norm = 0;
  Steps tokens(options);
  const Batch first = tokens.batches->next();
  tokens.batches->seek_epoch(0);
  const StepResult by_token = tokens.step->take(*tokens.batches, {.number = 1, .learning_rate = 0.1});
  options.loss_norm = LossNorm::kSentence;
  Steps sentences(options);
  const StepResult by_sentence = sentences.step->take(*sentences.batches, {.number = 1, .learning_rate = 0.1});
  EXPECT_EQ(by_sentence.nll, by_token.nll);
  const double length = static_cast<double>(first.target.size()) / static_cast<double>(first.sentences());
  EXPECT_NEAR(by_sentence.gradient_norm, length * by_token.gradient_norm, 1e-4 * by_sentence.gradient_norm);
}

}  // namespace
}  // namespace dhyan
