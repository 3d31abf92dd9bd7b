#include "models/batch_loss.h"

#include <gtest/gtest.h>

#include "models/decoder_only.h"
#include "models/masked_model.h"
#include "models/testing/tiny_recurrent.h"
#include "models/testing/tiny_transformer.h"
#include "models/transformer_model.h"

namespace dhyan {
namespace {

// One model of each kind, with this dropout.
std::vector<std::unique_ptr<Model>> one_of_each(double dropout) {
  RecurrentConfig recurrent = tiny_recurrent();
  recurrent.target_vocabulary = recurrent.source_vocabulary = 8;
  recurrent.dropout = dropout;
  TransformerConfig transformer = tiny_transformer();
  transformer.dropout = dropout;
  std::vector<std::unique_ptr<Model>> models;
  models.push_back(random_model(recurrent));
  models.push_back(random_transformer(make_transformer_model, transformer));
  models.push_back(random_transformer(make_decoder_only_model, transformer));
  models.push_back(random_transformer(make_masked_model, transformer));
  return models;
}

const Batch& four_pairs() {
  static const Batch batch = random_pairs(3, {{3, 3}, {2, 5}, {1, 1}, {4, 2}}, tiny_transformer());
  return batch;
}

TEST(RDrop, EqualsOnePassWithoutDropout) {
  for (const auto& model : one_of_each(0)) {
    const auto [once, nll] = trained_loss(*model, four_pairs());
    const auto [twice, nll_twice] = trained_loss(*model, four_pairs(), {.r_drop = 5});
    EXPECT_NEAR(twice, once, kClose);
    EXPECT_NEAR(nll_twice, nll, kClose);
  }
}

TEST(RDrop, AddsTheDivergenceOfTwoPassesWithDropout) {
  for (const auto& model : one_of_each(0.3)) {
    const auto [little, nll] = trained_loss(*model, four_pairs(), {.r_drop = 1e-6});
    const auto [one, nll_one] = trained_loss(*model, four_pairs(), {.r_drop = 1});
    const auto [three, nll_three] = trained_loss(*model, four_pairs(), {.r_drop = 3});
    EXPECT_EQ(nll_one, nll) << "the same noise";
    EXPECT_EQ(nll_three, nll);
    EXPECT_GT(one, little + 1e-3);
    EXPECT_NEAR(three - little, 3 * (one - little), 1e-3 * three);
  }
}

TEST(RDrop, IsUsedInTrainingOnly) {
  for (const auto& model : one_of_each(0.3)) {
    Arena arena;
    Scope scope(arena);
    EXPECT_EQ(model->loss(scope, four_pairs(), {.r_drop = 5}).nll, nll_of(*model, four_pairs()));
  }
}

}  // namespace
}  // namespace dhyan
