#include "models/transformer_model.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "autograd/testing/all_weights.h"
#include "core/error.h"
#include "core/testing/thrown.h"
#include "models/testing/tied_tables.h"
#include "models/testing/tiny_transformer.h"
#include "models/transformer_network.h"

namespace dhyan {
namespace {

auto tiny_model(const TransformerConfig& config) { return random_transformer(make_transformer_model, config); }

std::vector<Real> weights_of(const TransformerConfig& config, std::uint64_t seed) {
  return all_weights(make_transformer_model(config, Rng(seed))->parameters());
}

TEST(TransformerModel, HasALossThatIsTheSumOverSentences) {
  for (const NormPlace norm : {NormPlace::kBefore, NormPlace::kAfter}) {
    TransformerConfig config = tiny_transformer();
    config.norm = norm;
    const auto model = tiny_model(config);
    const Batch batch = random_pairs(6, {{3, 2}, {1, 4}, {5, 1}}, config);
    double sum = 0;
    for (Index b = 0; b < batch.sentences(); ++b) sum += nll_of(*model, sentence_of(batch, b));
    const auto [loss, nll] = trained_loss(*model, batch);
    EXPECT_NEAR(nll_of(*model, batch), sum, kClose);
    EXPECT_NEAR(loss, sum, kClose);
    EXPECT_NEAR(nll, sum, kClose);
    const auto [smooth, same] = trained_loss(*model, batch, {.label_smoothing = 0.3});
    EXPECT_GT(std::abs(smooth - nll), 0.01);
    EXPECT_EQ(same, nll);
  }
}

// Logits of one sentence whose decoder is fed these words.
std::vector<std::vector<Real>> logits_of(const TransformerNetwork& network, const std::vector<TokenId>& inputs) {
  const std::vector<TokenId> source{4, 5, 6, kEnd};
  Arena arena;
  Scope scope(arena);
  const Segments one = Segments::one(std::ssize(inputs));
  const Var y = network.teacher_forced(scope, {source, Segments::one(4)}, inputs, one).y;  // [T,H]
  const Tensor logits = output_logits(y, network.output(scope)).value();                   // [T,V]
  std::vector<std::vector<Real>> rows;
  for (Index t = 0; t < logits.rows(); ++t) rows.emplace_back(logits.row(t).begin(), logits.row(t).end());
  return rows;
}

TEST(TransformerModel, DoesNotAttendToLaterWords) {
  for (const TransformerConfig& config : every_transformer()) {
    SCOPED_TRACE(config.attention.score + " " + config.attention.window);
    ParameterSet parameters;
    const TransformerNetwork network(parameters, config, Rng(0));
    randomise(parameters, 1);
    const std::vector<TokenId> words{kBegin, 4, 5, 6, 7, 4};
    const auto before = logits_of(network, words);
    for (std::size_t changed = 1; changed < words.size(); ++changed) {
      std::vector<TokenId> others = words;
      for (std::size_t t = changed; t < others.size(); ++t) others[t] = others[t] == 7 ? 4 : others[t] + 1;
      const auto after = logits_of(network, others);
      for (std::size_t t = 0; t < changed; ++t) EXPECT_EQ(after[t], before[t]) << t << " before " << changed;
      EXPECT_NE(after[changed], before[changed]) << changed;
    }
  }
}

TEST(TransformerModel, HasAFiniteLossAndGradientsWithEveryScoreAndWindow) {
  for (const TransformerConfig& config : every_transformer()) {
    SCOPED_TRACE(config.attention.score + " " + config.attention.window);
    const auto model = make_transformer_model(config, Rng(1));
    const Batch batch = random_pairs(6, {{3, 2}, {1, 4}, {5, 1}}, config);
    GradientSet gradients(model->parameters());
    Tape tape(model->parameters());
    tape.start(gradients, Rng(5));
    Arena arena;
    Scope scope(arena, tape);
    const Var loss = model->loss(scope, batch).loss;
    EXPECT_GT(loss.value().item(), 0);
    EXPECT_TRUE(std::isfinite(loss.value().item()));
    tape.backward(loss);
    for (const Parameter& parameter : model->parameters()) {
      for (const Real d : gradients[parameter].value().span()) ASSERT_TRUE(std::isfinite(d)) << parameter.name;
    }
    for (const char* deep :
         {"encoder.0.self.value.weight", "encoder.0.feed.in.weight", "decoder.0.cross.value.weight"}) {
      EXPECT_TRUE(std::ranges::any_of(gradients[*model->parameters().find(deep)].value().span(), [](Real d) {
        return d != 0;
      })) << deep;
    }
  }
}

TEST(TransformerModel, TiesTheConfiguredTables) { expect_tied_tables(make_transformer_model, tiny_transformer()); }

// Only norms before the sublayers need one more norm after the blocks.
TEST(TransformerModel, EndsAStackWithANormIfNormsComeBeforeSublayers) {
  for (const NormPlace norm : {NormPlace::kBefore, NormPlace::kAfter}) {
    TransformerConfig config = tiny_transformer();
    config.norm = norm;
    const auto model = make_transformer_model(config, Rng(1));
    for (const char* name : {"encoder.norm.gain", "decoder.norm.gain"}) {
      EXPECT_EQ(model->parameters().find(name) != nullptr, norm == NormPlace::kBefore);
    }
  }
}

TEST(TransformerModel, HasInitialWeightsThatDependOnTheRngOnly) {
  EXPECT_EQ(weights_of(tiny_transformer(), 1), weights_of(tiny_transformer(), 1));
  EXPECT_NE(weights_of(tiny_transformer(), 1), weights_of(tiny_transformer(), 2));
}

TEST(TransformerModel, UsesDropoutInTrainingOnly) {
  const auto plain = tiny_model(tiny_transformer());
  const Batch batch = random_pairs(7, {{3, 2}, {2, 4}}, tiny_transformer());
  for (const int part : {0, 1, 2}) {
    TransformerConfig config = tiny_transformer();
    (part == 0 ? config.dropout : part == 1 ? config.feed_forward_dropout : config.attention.dropout) = 0.5;
    const auto dropping = tiny_model(config);
    EXPECT_EQ(nll_of(*plain, batch), nll_of(*dropping, batch)) << part;
    EXPECT_NE(trained_loss(*plain, batch), trained_loss(*dropping, batch)) << part;
  }
}

TEST(TransformerModel, IsFedItsOwnWordsInTrainingOnly) {
  const auto model = tiny_model(tiny_transformer());
  const Batch batch = random_pairs(8, {{3, 4}, {2, 5}}, tiny_transformer());
  const auto forced = trained_loss(*model, batch);
  EXPECT_EQ(trained_loss(*model, batch, {.sampled = 1e-12}), forced);
  EXPECT_NE(trained_loss(*model, batch, {.sampled = 1}), forced);
  Arena arena;
  Scope scope(arena);
  EXPECT_EQ(model->loss(scope, batch, {.sampled = 1}).nll, nll_of(*model, batch));
}

TEST(TransformerModel, TakesABatchWithoutSentences) {
  const auto model = tiny_model(tiny_transformer());
  const Batch none = make_batch({});
  EXPECT_EQ(trained_loss(*model, none, {.sampled = 0.5}), std::pair(0.0, 0.0));
  const auto decoding = model->decode(source_of(none));
  EXPECT_EQ(decoding->sentences(), 0);
  EXPECT_EQ(decoding->step({{}, {}, {}}).logits.rows(), 0);
}

TEST(TransformerModel, RefusesAnImpossibleConfig) {
  TransformerConfig config = tiny_transformer();
  config.hidden = 0;
  EXPECT_EQ(thrown<ConfigError>([&] { make_transformer_model(config, Rng(1)); }),
            "hidden width is 0, expected 1 or more");
}

TEST(TransformerModel, RefusesASentenceLongerThanItsPositions) {
  TransformerConfig config = tiny_transformer();
  config.positions = "learned";
  config.longest = 3;
  const auto model = tiny_model(config);
  EXPECT_EQ(thrown<DataError>([&] {
              nll_of(*model, random_pairs(9, {{2, 4}}, config));
            }),
            "positions: a sentence reaches length 4, 'target.positions.table' has positions for 3");
}

}  // namespace
}  // namespace dhyan
