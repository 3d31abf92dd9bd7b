#include "models/guided_alignment.h"

#include <cmath>
#include <gtest/gtest.h>

#include "kernels/loss/alignment_loss.h"
#include "models/testing/tiny_captions.h"
#include "models/testing/tiny_recurrent.h"
#include "models/testing/tiny_transformer.h"
#include "models/transformer_model.h"

namespace dhyan {
namespace {

// Three pairs, of which the last is the shortest and the second has no links.
Batch linked_pairs() {
  static const std::vector<TokenId> source{4, 5, kEnd}, target{5, 4, kEnd}, word{4, kEnd};
  static const std::vector<TokenLink> links{{0, 0}, {1, 0}, {1, 1}}, one{{0, 0}};
  return make_batch(std::vector<Example>{{source, target, 0, links}, {word, target, 1}, {source, word, 2, one}});
}

std::vector<std::unique_ptr<TranslationModel>> guided_models() {
  std::vector<std::unique_ptr<TranslationModel>> models;
  for (const Timing timing : {Timing::kBefore, Timing::kAfter}) {
    RecurrentConfig config = tiny_recurrent();
    config.timing = timing;
    config.attention.heads = 1;
    models.push_back(random_model(config));
  }
  TransformerConfig config = tiny_transformer();
  config.activation = "gelu";
  models.push_back(random_transformer(make_transformer_model, config));
  return models;
}

// Three pictures, of which the second has no links; the cells of one word are not adjacent.
Batch linked_pictures() {
  static const std::vector<TokenId> one{3}, two{0}, words{5, 4, kEnd}, word{4, kEnd};
  static const std::vector<TokenLink> links{{0, 0}, {1, 0}, {3, 0}, {2, 1}}, last{{3, 0}};
  return make_batch(std::vector<Example>{{one, words, 0, links}, {two, words, 1}, {one, word, 2, last}},
                    tiny_pictures());
}

struct GuidedModel {
  std::unique_ptr<TranslationModel> model;
  Batch batch;
};

std::vector<GuidedModel> models_and_links() {
  std::vector<GuidedModel> all;
  for (auto& model : guided_models()) all.push_back({std::move(model), linked_pairs()});
  for (const Timing timing : {Timing::kBefore, Timing::kAfter}) {
    RecurrentConfig config = tiny_captions();
    config.timing = timing;
    all.push_back({random_model(config), linked_pictures()});
  }
  all.push_back({random_transformer(make_transformer_model, tiny_caption_transformer()), linked_pictures()});
  return all;
}

// -Σ_t mean over its links of log α, by decoding step by step: each step's weights are those of teacher forcing.
double by_decoding(const TranslationModel& model, const Batch& batch) {
  double sum = 0;
  for (Index b = 0; b < batch.sentences(); ++b) {
    const Example pair = example_of(batch, b);
    const Batch alone = sentence_of(batch, b);
    const std::unique_ptr<Decoding> decoding = model.decode(source_of(alone));
    const std::vector<TokenId> inputs = decoder_inputs(alone);
    for (std::size_t t = 0; t < inputs.size(); ++t) {
      const std::vector<RowId> row{0};
      const auto output = decoding->step({row, std::span(inputs).subspan(t, 1), Segments::singles(1)});
      const AttentionStep* cross = nullptr;
      for (const AttentionStep& step : output.attention) {
        if (step.place == AttentionPlace::kCross) cross = &step;  // the last layer's remains
      }
      double links = 0, logs = 0;
      const Index S = cross->layout.keys.longest(), heads = cross->layout.heads;
      for (const TokenLink& link : pair.links) {
        if (static_cast<std::size_t>(link.target) != t) continue;
        double mean = 0;
        for (Index head = 0; head < heads; ++head) mean += cross->weights.value().data()[head * S + link.source];
        logs += std::log(mean / static_cast<double>(heads) + kernels::kMinWeight);
        ++links;
      }
      if (links > 0) sum -= logs / links;
    }
  }
  return sum;
}

TEST(GuidedAlignment, AddsTheCrossEntropyOfAttentionAndLinks) {
  for (const auto& [model, batch] : models_and_links()) {
    const auto [plain, nll] = trained_loss(*model, batch, {.guided = 0});
    const auto [guided, same_nll] = trained_loss(*model, batch, {.guided = 2});
    EXPECT_EQ(nll, same_nll);
    EXPECT_NEAR(guided - plain, 2 * by_decoding(*model, batch), 20 * kClose);
    const auto [twice, twice_nll] = trained_loss(*model, batch, {.r_drop = 1, .guided = 2});
    EXPECT_NEAR(twice, guided, 20 * kClose) << "two passes that are the same";
  }
}

TEST(GuidedAlignment, HasTheRightGradients) {
  if (sizeof(Real) != 8) GTEST_SKIP() << "needs doubles";
  for (const auto& [model, batch] : models_and_links()) {
    const auto loss = [&model = model, &batch = batch](Scope& scope, const std::vector<Var>&) {
      return model->loss(scope, batch, {.guided = 2, .guided_layer = 1}).loss;
    };
    EXPECT_EQ(module_jacobian_mismatch(model->parameters(), {}, loss, {.step = 1e-4}), "");
  }
}

TEST(GuidedAlignment, IsUsedInTrainingForBatchesWithLinksOnly) {
  for (const auto& model : guided_models()) {
    const Batch free = random_pairs(3, {{3, 3}, {2, 2}}, tiny_recurrent());
    EXPECT_EQ(trained_loss(*model, free, {.guided = 2}), trained_loss(*model, free, {.guided = 0}));
    Arena arena;
    Scope scope(arena);
    const BatchLoss loss = model->loss(scope, linked_pairs(), {.guided = 2});
    EXPECT_NEAR(loss.loss.value().item(), loss.nll, kClose);
  }
}

}  // namespace
}  // namespace dhyan
