// Models of either kind whose source is a picture.

#include <cmath>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "models/testing/decode_checks.h"
#include "models/testing/tiny_captions.h"
#include "models/transformer_model.h"

namespace dhyan {
namespace {

struct CaptionModel {
  std::string name;
  ModelConfig config;
  std::unique_ptr<TranslationModel> model;
};

// Each kind of decoder with each trainable backbone, and with every window that pictures allow.
std::vector<CaptionModel> caption_models() {
  std::vector<CaptionModel> models;
  const auto add = [&](std::string name, const RecurrentConfig& config) {
    models.push_back({std::move(name), config, random_model(config)});
  };
  for (const ContextKind context : {ContextKind::kNone, ContextKind::kFixed, ContextKind::kAttention}) {
    for (const char* cell : {"gru", "lstm"}) {
      RecurrentConfig config = tiny_captions();
      config.context = context;
      config.cell = cell;
      add(cat("patches ", cell), config);
      config.timing = Timing::kAfter;
      config.decoder_layers = 2;
      config.decoder_hidden = 5;
      config.layer_norm = config.residual = true;
      add(cat("layers ", cell), config);
    }
  }
  RecurrentConfig hard = tiny_captions();
  hard.attention.window = "hard";
  add("hard", hard);
  RecurrentConfig as_wide = tiny_captions();
  as_wide.backbone.width = as_wide.hidden;
  add("without a projection", as_wide);
  add("conv", with_convolutions(tiny_captions()));
  for (const NormPlace norm : {NormPlace::kBefore, NormPlace::kAfter}) {
    TransformerConfig config = tiny_caption_transformer();
    config.norm = norm;
    models.push_back({"transformer", config, random_transformer(make_transformer_model, config)});
    config = with_convolutions(config);
    config.attention.window = "hard";
    models.push_back({"transformer, hard, conv", config, random_transformer(make_transformer_model, config)});
  }
  return models;
}

TEST(CaptionModels, ScoreACaptionAsTheLossDoes) {
  for (const auto& [name, config, model] : caption_models()) {
    const Batch batch = random_captions(3, {2, 4, 1, 4}, config);
    const std::vector<double> scores = forced(*model, batch);
    EXPECT_NEAR(-std::accumulate(scores.begin(), scores.end(), 0.0), nll_of(*model, batch), kClose) << name;
  }
}

TEST(CaptionModels, GiveAPictureTheSameScoreInAnyBatch) {
  for (const auto& [name, config, model] : caption_models()) {
    const Batch batch = random_captions(4, {2, 4, 1, 4}, config);
    const std::vector<double> together = forced(*model, batch);
    for (Index b = 0; b < batch.sentences(); ++b) {
      const Batch alone = sentence_of(batch, b);
      EXPECT_EQ(together[static_cast<std::size_t>(b)], forced(*model, alone).front()) << name;
      EXPECT_NEAR(together[static_cast<std::size_t>(b)], -nll_of(*model, alone), kClose) << name;
    }
  }
}

TEST(CaptionModels, ContinueTheHypothesisTheyAreGiven) {
  for (const auto& [name, config, model] : caption_models()) {
    SCOPED_TRACE(name);
    const Batch batch = random_captions(5, {1, 1, 1}, config);
    expect_right_continuations([&model = model](const SourceBatch& source) { return model->decode(source); }, batch,
                               config.target_vocabulary);
  }
}

TEST(CaptionModels, SeeThePicture) {
  for (const auto& [name, config, model] : caption_models()) {
    Batch batch = random_captions(6, {3}, config);
    const double loss = nll_of(*model, batch);
    batch.source = {17};
    EXPECT_NE(nll_of(*model, batch), loss) << name;
  }
}

TEST(CaptionModels, AttendToTheCellsOfAGrid) {
  for (const auto& [name, config, model] : caption_models()) {
    EXPECT_EQ(model->pictures().grid, (GridShape{2, 2})) << name;
    EXPECT_EQ(model->pictures().pixels, (GridShape{config.backbone.image_size, config.backbone.image_size})) << name;
    const Batch batch = random_captions(7, {1, 1}, config);
    const auto decoding = model->decode(source_of(batch));
    const std::vector<RowId> rows{0, 0, 1};
    const std::vector<TokenId> tokens(3, kBegin);
    const DecoderStep step = decoding->step({rows, tokens, Segments::from_lengths({2, 1})});
    Index cross = 0;
    for (const AttentionStep& attention : step.attention) {
      if (attention.place != AttentionPlace::kCross) continue;
      ++cross;
      EXPECT_EQ(attention.layout.keys.longest(), 4) << name;
      EXPECT_EQ(rows_that_sum_to_one(attention), 3 * attention.layout.heads) << name;
    }
    EXPECT_EQ(cross, model->attends() ? 1 : 0) << name;
    EXPECT_EQ(static_cast<bool>(decoding->context_vector()), !model->attends()) << name;
  }
}

TEST(CaptionModels, HaveNoTableOfSourceWords) {
  for (RecurrentConfig config : {tiny_captions(), with_convolutions(tiny_captions())}) {
    const Index weights = random_model(config)->parameters().element_count();
    config.source_vocabulary = 1000;
    config.encoder_layers = 3;
    config.directions = Directions::kForward;
    EXPECT_EQ(random_model(config)->parameters().element_count(), weights);
  }
  TransformerConfig config = tiny_caption_transformer();
  const Index weights = make_transformer_model(config, Rng(0))->parameters().element_count();
  config.source_vocabulary = 1000;
  EXPECT_EQ(make_transformer_model(config, Rng(0))->parameters().element_count(), weights);
}

TEST(CaptionModels, RefuseSentencesAndPicturesOfAnotherSize) {
  for (const auto& [name, config, model] : caption_models()) {
    Batch batch = random_captions(8, {2}, config);
    batch.pictures = nullptr;
    EXPECT_EQ(thrown<UsageError>([&, &model = model] { nll_of(*model, batch); }),
              "the model reads pictures, and the batch has none");
    batch.pictures = tiny_pictures(12);
    EXPECT_EQ(thrown<UsageError>([&, &model = model] { nll_of(*model, batch); }),
              cat("pictures have 12 x 12 pixels, expected ", model->pictures().pixels));
    batch.pictures = std::make_shared<FakePictures>(
        PictureFormat{.content = PictureContent::kFeatures, .size = {2, 2}, .channels = 3});
    EXPECT_THROW(nll_of(*model, batch), UsageError) << "features of a backbone that is not frozen";
  }
}

TEST(CaptionModels, RefuseSettingsWithoutAGrid) {
  RecurrentConfig config = tiny_captions();
  config.backbone.patch_size = 3;
  EXPECT_THROW(make_recurrent_model(config, Rng(0)), ConfigError);
  config = tiny_captions();
  config.encoder = "camera";
  EXPECT_THROW(make_recurrent_model(config, Rng(0)), ConfigError);
}

// A hard window draws cells in training, the same ones for the same random numbers.
TEST(CaptionModels, DrawCellsInTrainingWithAHardWindow) {
  RecurrentConfig config = tiny_captions();
  config.attention.window = "hard";
  const auto model = random_model(config);
  const Batch batch = random_captions(9, {4, 3, 5}, config);
  EXPECT_EQ(trained_loss(*model, batch), trained_loss(*model, batch));
  EXPECT_TRUE(std::isfinite(trained_loss(*model, batch).first));
  EXPECT_NE(trained_loss(*model, batch).second, nll_of(*model, batch));
}

}  // namespace
}  // namespace dhyan
