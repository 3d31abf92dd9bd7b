// Gradients of Transformers, compared with finite differences for every element of every weight.

#include <gtest/gtest.h>

#include "models/decoder_only.h"
#include "models/masked_model.h"
#include "models/testing/tiny_transformer.h"
#include "models/transformer_model.h"

namespace dhyan {
namespace {

// Empty if backward and differences agree on d(loss)/d(every weight). Steps are short, as norms bend sharply.
template <class Make>
std::string transformer_mismatch(const Make& make, const TransformerConfig& config, const LossOptions& options = {}) {
  const auto model = random_transformer(make, config, 2);
  const Batch batch = random_pairs(3, {{3, 3}, {2, 2}, {1, 1}}, config);
  const auto loss = [&](Scope& scope, const std::vector<Var>&) { return model->loss(scope, batch, options).loss; };
  return module_jacobian_mismatch(model->parameters(), {}, loss, {.step = 1e-4});
}

// gelu, as relu has kinks.
TransformerConfig one_layer() {
  TransformerConfig config = tiny_transformer();
  config.encoder_layers = config.decoder_layers = 1;
  config.activation = "gelu";
  return config;
}

// Differences of floats are too coarse for such steps.
class TransformerGradients : public testing::Test {
 protected:
  void SetUp() override {
    if (sizeof(Real) != 8) GTEST_SKIP() << "needs doubles";
  }
};

TEST_F(TransformerGradients, AreRightForEveryScoreAndNorm) {
  for (const ScoreEntry& score : scores()) {
    for (const NormPlace norm : {NormPlace::kBefore, NormPlace::kAfter}) {
      TransformerConfig config = one_layer();
      config.attention.score = score.name;
      config.norm = norm;
      EXPECT_EQ(transformer_mismatch(make_transformer_model, config), "") << score.name;
    }
  }
}

TEST_F(TransformerGradients, AreRightForEveryDifferentiableWindow) {
  for (const WindowEntry& window : windows()) {
    if (!window.exact_gradient) continue;
    TransformerConfig config = one_layer();
    config.attention.window = window.name;
    EXPECT_EQ(transformer_mismatch(make_transformer_model, config), "") << window.name;
  }
}

TEST_F(TransformerGradients, AreRightForEveryTyingAndPosition) {
  for (const Tying tying : {Tying::kNone, Tying::kDecoder, Tying::kAll}) {
    for (const char* positions : {"sinusoidal", "learned"}) {
      TransformerConfig config = one_layer();
      config.tying = tying;
      config.positions = positions;
      EXPECT_EQ(transformer_mismatch(make_transformer_model, config, {.label_smoothing = 0.2}), "") << positions;
    }
  }
}

TEST_F(TransformerGradients, AreRightThroughLayersAndDropout) {
  for (const NormPlace norm : {NormPlace::kBefore, NormPlace::kAfter}) {
    TransformerConfig config = one_layer();
    config.norm = norm;
    config.encoder_layers = 2;
    config.decoder_layers = 2;
    config.activation = "swish";
    config.dropout = config.feed_forward_dropout = config.attention.dropout = 0.3;
    EXPECT_EQ(transformer_mismatch(make_transformer_model, config), "");
  }
}

TEST_F(TransformerGradients, AreRightForEveryDecoderLayer) {
  for (const DecoderLayerEntry& layer : decoder_layers()) {
    for (const NormPlace norm : {NormPlace::kBefore, NormPlace::kAfter}) {
      TransformerConfig config = one_layer();
      config.decoder_layer = layer.name;
      config.norm = norm;
      EXPECT_EQ(transformer_mismatch(make_transformer_model, config), "") << layer.name;
    }
  }
}

TEST_F(TransformerGradients, AreRightForPlainDecoderKeys) {
  TransformerConfig config = one_layer();
  config.decoder_keys = DecoderKeys::kPlain;
  EXPECT_EQ(transformer_mismatch(make_transformer_model, config), "");
}

TEST_F(TransformerGradients, AreRightWithoutAnEncoderOrWithoutADecoder) {
  for (const NormPlace norm : {NormPlace::kBefore, NormPlace::kAfter}) {
    TransformerConfig config = one_layer();
    config.norm = norm;
    config.tying = Tying::kDecoder;
    EXPECT_EQ(transformer_mismatch(make_language_model, config), "");
    EXPECT_EQ(transformer_mismatch(make_decoder_only_model, config), "");
    EXPECT_EQ(transformer_mismatch(make_masked_model, config), "");
  }
}

TEST_F(TransformerGradients, AreRightWithTheEmbeddingsOfBert) {
  TransformerConfig config = one_layer();
  config.norm = NormPlace::kAfter;
  config.activation = "gelu-erf";
  config.positions = "learned";
  config.tying = Tying::kDecoder;
  config.embedding_norm = EmbeddingNorm::kLayer;
  config.masked = {.start = SentenceStart::kMarked, .sentence_types = 2};
  EXPECT_EQ(transformer_mismatch(make_masked_model, config), "");
}

TEST_F(TransformerGradients, AreRightThroughTwoPasses) {
  TransformerConfig config = one_layer();
  config.dropout = 0.3;
  const LossOptions options{.label_smoothing = 0.2, .r_drop = 2};
  EXPECT_EQ(transformer_mismatch(make_transformer_model, config, options), "");
  EXPECT_EQ(transformer_mismatch(make_decoder_only_model, config, options), "");
  EXPECT_EQ(transformer_mismatch(make_masked_model, config, options), "");
}

}  // namespace
}  // namespace dhyan
