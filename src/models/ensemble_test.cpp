#include "models/ensemble.h"

#include <cmath>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "models/testing/decode_checks.h"
#include "models/testing/tiny_recurrent.h"
#include "models/testing/tiny_transformer.h"
#include "models/transformer_model.h"

namespace dhyan {
namespace {

std::vector<std::unique_ptr<TranslationModel>> three_kinds() {
  std::vector<std::unique_ptr<TranslationModel>> models;
  models.push_back(random_model(tiny_recurrent(), 1));
  RecurrentConfig context_vector = tiny_recurrent();
  context_vector.context = ContextKind::kNone;
  models.push_back(random_model(context_vector, 2));
  TransformerConfig transformer = tiny_transformer();
  transformer.source_vocabulary = tiny_recurrent().source_vocabulary;
  transformer.target_vocabulary = tiny_recurrent().target_vocabulary;
  models.push_back(random_transformer(make_transformer_model, transformer, 3));
  return models;
}

// p of every word of every target, each fed the words before it.
std::vector<std::vector<double>> probabilities(const TranslationModel& model, const Batch& batch,
                                               WeightEdits edits = {}) {
  SourceBatch source = source_of(batch);
  source.edits = edits;
  const auto decoding = model.decode(source);
  const Tensor logits = stepwise_logits(*decoding, decoder_inputs(batch), batch.target_segments);
  std::vector<std::vector<double>> all;
  for (Index row = 0; row < logits.rows(); ++row) {
    std::vector<double>& p = all.emplace_back();
    double sum = 0;
    for (const Real z : logits.row(row)) p.push_back(std::exp(double{z}));
    for (const double number : p) sum += number;
    for (double& number : p) number /= sum;
  }
  return all;
}

TEST(Ensemble, TakesTheMeanOfProbabilities) {
  const Batch batch = random_pairs(4, {{3, 4}, {5, 2}, {1, 3}}, tiny_recurrent());
  const auto alone = three_kinds();
  const std::vector<double> weights{1, 2, 5};
  const EnsembleModel ensemble(three_kinds(), weights);
  const auto together = probabilities(ensemble, batch);
  for (std::size_t row = 0; row < together.size(); ++row) {
    for (std::size_t word = 0; word < together[row].size(); ++word) {
      double mean = 0;
      for (std::size_t m = 0; m < 3; ++m) mean += weights[m] / 8 * probabilities(*alone[m], batch)[row][word];
      EXPECT_NEAR(together[row][word], mean, 1e-5);
    }
  }
}

TEST(Ensemble, WithOneModelEqualsThatModel) {
  const Batch batch = random_pairs(4, {{3, 4}, {5, 2}}, tiny_recurrent());
  std::vector<std::unique_ptr<TranslationModel>> one;
  one.push_back(random_model(tiny_recurrent(), 1));
  const auto expected = probabilities(*one.front(), batch);
  const auto given = probabilities(EnsembleModel(std::move(one)), batch);
  for (std::size_t row = 0; row < given.size(); ++row) {
    for (std::size_t word = 0; word < given[row].size(); ++word)
      EXPECT_NEAR(given[row][word], expected[row][word], 1e-5);
  }
}

TEST(Ensemble, HasTheAttentionOfItsFirstModelAndTheShortestLength) {
  const EnsembleModel ensemble(three_kinds());
  EXPECT_TRUE(ensemble.attends() && ensemble.has_cross_attention());
  EXPECT_EQ(ensemble.longest(), three_kinds()[2]->longest());
  const Batch batch = random_pairs(4, {{3, 1}}, tiny_recurrent());
  const auto decoding = ensemble.decode(source_of(batch)), alone = three_kinds().front()->decode(source_of(batch));
  EXPECT_EQ(decoding->sentences(), 1);
  EXPECT_EQ(decoding->step({std::vector<RowId>{0}, std::vector<TokenId>{kBegin}, Segments::one(1)}).attention.size(),
            1U);
}

TEST(Ensemble, EditsTheAttentionOfItsFirstModelAlone) {
  const Batch batch = random_pairs(4, {{3, 1}}, tiny_recurrent());
  const std::vector<std::vector<WeightEdit>> edits{{{.step = 0, .group_of = {0, 1, 2}, .sums = {0, 1, 0}}}};
  std::vector<std::unique_ptr<TranslationModel>> two;
  for (const std::uint64_t seed : {1, 2}) two.push_back(random_model(tiny_recurrent(), seed));
  const auto first = probabilities(*two[0], batch, edits), second = probabilities(*two[1], batch);
  EXPECT_NE(first, probabilities(*two[0], batch));
  const auto together = probabilities(EnsembleModel(std::move(two)), batch, edits);
  for (std::size_t word = 0; word < together[0].size(); ++word) {
    EXPECT_NEAR(together[0][word], (first[0][word] + second[0][word]) / 2, 1e-5);
  }
}

TEST(Ensemble, RefusesBadWeightsAndModelsThatDiffer) {
  EXPECT_EQ(thrown<UsageError>([] { EnsembleModel({}); }), "ensemble: there are no models");
  EXPECT_EQ(thrown<UsageError>([] { EnsembleModel(three_kinds(), {1, 2}); }), "ensemble: 2 weights for 3 models");
  for (const std::vector<double>& weights : {std::vector<double>{0, 0, 0}, {1, -1, 1}, {std::nan(""), 1, 1}}) {
    EXPECT_EQ(thrown<UsageError>([&] { EnsembleModel(three_kinds(), weights); }),
              "ensemble: weights must be 0 or more, and one of them more");
  }
  Arena arena;
  Scope scope(arena);
  EXPECT_EQ(thrown<UsageError>([&] { EnsembleModel(three_kinds()).loss(scope, {}); }),
            "ensemble: cannot be trained; train its models");
}

}  // namespace
}  // namespace dhyan
