#include "models/aligner.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <set>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "models/batch_words.h"
#include "models/testing/decode_checks.h"
#include "nn/testing/module_jacobian.h"

namespace dhyan {
namespace {

AlignerConfig tiny_aligner() {
  AlignerConfig config;
  config.source_vocabulary = 9;
  config.target_vocabulary = 11;
  config.hidden = 4;
  config.jump_range = 2;
  config.negatives = 3;
  return config;
}

Batch pairs_for(const AlignerConfig& config) { return random_pairs(3, {{4, 3}, {1, 2}, {3, 5}}, config); }

std::vector<std::vector<TokenId>> targets_of(const Batch& batch) {
  std::vector<std::vector<TokenId>> targets;
  for (Index b = 0; b < batch.sentences(); ++b) {
    const Example example = example_of(batch, b);
    targets.emplace_back(example.target.begin(), example.target.end());
  }
  return targets;
}

TEST(Aligner, HasTheRightGradients) {
  AlignerConfig config = tiny_aligner();
  config.negatives = 100;  // all other words are drawn, so the sum is exact and every step draws the same
  const auto model = make_aligner(config, Rng(1));
  const Batch batch = pairs_for(config);
  const auto loss = [&](Scope& scope, const auto&) { return model->loss(scope, batch).loss; };
  EXPECT_EQ(module_jacobian_mismatch(model->parameters(), {}, loss, {.step = 1e-4}), "");
}

TEST(Aligner, SamplesTheSumInTrainingAndKnowsItExactlyOtherwise) {
  AlignerConfig config = tiny_aligner();
  const Batch batch = pairs_for(config);
  config.negatives = 100;
  const auto exact = make_aligner(config, Rng(1));
  EXPECT_NEAR(trained_loss(*exact, batch).second, nll_of(*exact, batch), kClose);
  config.negatives = 1;
  const auto sampled = make_aligner(config, Rng(1));
  EXPECT_NEAR(nll_of(*sampled, batch), nll_of(*exact, batch), kClose);
  EXPECT_NE(trained_loss(*sampled, batch).second, nll_of(*exact, batch));
}

TEST(Aligner, ScoresAForcedTargetAsItsLossDoes) {
  const AlignerConfig config = tiny_aligner();
  const auto model = make_aligner(config, Rng(2));
  const Batch batch = pairs_for(config);
  const std::vector<double> scores = forced(*model, batch);
  EXPECT_NEAR(-std::accumulate(scores.begin(), scores.end(), 0.0), nll_of(*model, batch), 10 * kClose);
}

TEST(Aligner, GivesEveryTargetWeightsThatSumToOne) {
  const AlignerConfig config = tiny_aligner();
  const auto model = make_aligner(config, Rng(3));
  const Batch batch = pairs_for(config);
  ASSERT_TRUE(model->knows_targets());
  const std::vector<Tensor> all = model->align(source_of(batch), targets_of(batch));
  ASSERT_EQ(std::ssize(all), batch.sentences());
  for (Index b = 0; b < batch.sentences(); ++b) {
    const Tensor& weights = all[static_cast<std::size_t>(b)];
    EXPECT_EQ(weights.shape(), (Shape{batch.target_segments.length(b), batch.source_segments.length(b)}));
    for (Index t = 0; t < weights.rows(); ++t) {
      EXPECT_NEAR(std::accumulate(weights.row(t).begin(), weights.row(t).end(), 0.0), 1, 1e-5);
    }
    const Batch alone = sentence_of(batch, b);
    const Tensor own = model->align(source_of(alone), targets_of(alone)).front();
    for (Index i = 0; i < own.size(); ++i) EXPECT_NEAR(own.data()[i], weights.data()[i], 1e-6) << "in a batch of one";
  }
}

TEST(Aligner, FollowsAnEditOfItsWeights) {
  const AlignerConfig config = tiny_aligner();
  const auto model = make_aligner(config, Rng(3));
  const std::vector<TokenId> source{4, 5, kEnd};
  const auto first_step = [&](const std::vector<std::vector<WeightEdit>>& edits) {
    const auto decoding = model->decode({.tokens = source, .segments = Segments::one(3), .edits = edits});
    const std::vector<RowId> rows{0};
    const std::vector<TokenId> tokens{kBegin};
    const DecoderStep step = decoding->step({.rows = rows, .tokens = tokens, .hypotheses = Segments::one(1)});
    const std::span<const Real> weights = step.attention.front().weights.value().span();
    return std::pair(std::vector<Real>(weights.begin(), weights.end()), step.logits.value().clone());
  };
  const auto [own, logits] = first_step({});
  const auto [edited, other] = first_step({{{.step = 0, .group_of = {0, 1, 0}, .sums = {0, 1}}}});
  EXPECT_GT(own[0], 0);
  EXPECT_EQ(edited, (std::vector<Real>{0, 1, 0}));
  EXPECT_NE(logits.data()[kEnd], other.data()[kEnd]);
}

TEST(Aligner, WritesOnAfterAnEditThatLooksAtNullAlone) {
  const AlignerConfig config = tiny_aligner();
  const auto model = make_aligner(config, Rng(3));
  const std::vector<TokenId> source{4, 5, kEnd};
  const std::vector<std::vector<WeightEdit>> edits{{{.step = 0, .group_of = {0, 0, 1}, .sums = {0, 1}}}};
  const auto decoding = model->decode({.tokens = source, .segments = Segments::one(3), .edits = edits});
  const std::vector<RowId> rows{0};
  for (const TokenId token : {kBegin, TokenId{6}}) {
    const std::vector<TokenId> tokens{token};
    const DecoderStep step = decoding->step({.rows = rows, .tokens = tokens, .hypotheses = Segments::one(1)});
    const std::span<const Real> weights = step.attention.front().weights.value().span();
    EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 1, 1e-5);
    for (const Real z : step.logits.value().span()) EXPECT_TRUE(std::isfinite(z)) << "after token " << token;
  }
}

TEST(Aligner, RefusesImpossibleSettings) {
  const auto refusal = [](auto&& change) {
    AlignerConfig config = tiny_aligner();
    change(config);
    return thrown<ConfigError>([&] { make_aligner(config, Rng(1)); });
  };
  EXPECT_EQ(refusal([](AlignerConfig& c) { c.null_probability = 1; }), "null-probability is 1, expected 0 < p < 1");
  EXPECT_EQ(refusal([](AlignerConfig& c) { c.negatives = 0; }), "number of negatives is 0, expected 1 or more");
  EXPECT_EQ(refusal([](AlignerConfig& c) { c.jump_range = 0; }), "jump range is 0, expected 1 or more");
}

TEST(BatchWords, HaveEachWordOnceAndThenOthers) {
  Arena arena;
  const std::vector<TokenId> source{7, 3, 7}, target{5, 5, 3, 6};
  const WordSides sides{source, target, 8, 9};
  const BatchWords plain = batch_words(arena, sides);
  EXPECT_EQ((std::vector<RowId>(plain.sources.begin(), plain.sources.end())), (std::vector<RowId>{7, 3}));
  EXPECT_EQ((std::vector<RowId>(plain.targets.begin(), plain.targets.end())), (std::vector<RowId>{5, 3, 6}));
  EXPECT_EQ((std::vector<RowId>(plain.places.keys.begin(), plain.places.keys.end())), (std::vector<RowId>{0, 1, 0}));
  EXPECT_EQ((std::vector<RowId>(plain.places.queries.begin(), plain.places.queries.end())),
            (std::vector<RowId>{0, 0, 1, 2}));
  Rng rng(1);
  for (const Index negatives : {4, 6, 100}) {
    const BatchWords more = batch_words(arena, sides, negatives, &rng);
    EXPECT_EQ(more.occurring, 3);
    EXPECT_EQ(std::ssize(more.targets), 3 + std::min<Index>(negatives, 6)) << "there are six others";
    EXPECT_EQ(std::set<RowId>(more.targets.begin(), more.targets.end()).size(), more.targets.size());
  }
  EXPECT_THROW(batch_words(arena, {source, target, 7, 9}), DataError) << "id 7 of 7";
}

}  // namespace
}  // namespace dhyan
