#include "models/transformer_config.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"

namespace dhyan {
namespace {

TransformerConfig good_transformer() {
  return {{.source_vocabulary = 10,
           .target_vocabulary = 12,
           .hidden = 512,
           .attention = {.score = "scaled_dot", .heads = 8},
           .dropout = 0.1},
          {}};
}

// The error of check() for the default config after `change`.
template <class F>
std::string complaint(const F& change) {
  TransformerConfig config = good_transformer();
  change(config);
  return thrown<ConfigError>([&] { check(config); });
}

TEST(TransformerConfig, TheDefaultsCanBeBuilt) { EXPECT_NO_THROW(check(good_transformer())); }

TEST(TransformerConfig, NamesSettingsThatAreNotPositive) {
  const std::pair<Index TransformerConfig::*, const char*> numbers[] = {
      {&TransformerConfig::source_vocabulary, "source vocabulary"},
      {&TransformerConfig::target_vocabulary, "target vocabulary"},
      {&TransformerConfig::hidden, "hidden width"},
      {&TransformerConfig::feed_forward, "width of the feed-forward layer"},
      {&TransformerConfig::encoder_layers, "number of encoder layers"},
      {&TransformerConfig::decoder_layers, "number of decoder layers"},
      {&TransformerConfig::longest, "number of positions"},
  };
  for (const auto& [number, name] : numbers) {
    EXPECT_EQ(complaint([number = number](TransformerConfig& config) { config.*number = 0; }),
              std::string(name) + " is 0, expected 1 or more");
  }
}

TEST(TransformerConfig, NamesAProbabilityOutsideItsRange) {
  EXPECT_EQ(complaint([](TransformerConfig& config) { config.dropout = 1; }), "dropout is 1, expected 0 <= p < 1");
  EXPECT_EQ(complaint([](TransformerConfig& config) { config.feed_forward_dropout = -0.5; }),
            "dropout of the feed-forward layer is -0.5, expected 0 <= p < 1");
  EXPECT_EQ(complaint([](TransformerConfig& config) { config.attention.dropout = 2; }),
            "attention: dropout is 2, expected 0 <= p < 1");
}

TEST(TransformerConfig, NamesUnknownNames) {
  EXPECT_EQ(complaint([](TransformerConfig& config) { config.activation = "tanh"; }),
            "activation: 'tanh' is none of relu, gelu, gelu-erf, swish, gelu-sigmoid");
  EXPECT_EQ(complaint([](TransformerConfig& config) { config.positions = "rotary"; }),
            "positions: 'rotary' is none of sinusoidal, sinusoidal-halves, sinusoidal-closed, learned");
  EXPECT_EQ(complaint([](TransformerConfig& config) { config.decoder_layer = "lstm"; }),
            "decoder-layer: 'lstm' is none of self, ssru, aan");
  EXPECT_EQ(complaint([](TransformerConfig& config) { config.attention.window = "local"; }),
            "window: 'local' is none of global, local-m, local-p, hard, causal, no-end");
}

TEST(TransformerConfig, PlainDecoderKeysNeedNormsBeforeSublayers) {
  TransformerConfig config = good_transformer();
  config.decoder_keys = DecoderKeys::kPlain;
  EXPECT_NO_THROW(check(config));
  config.norm = NormPlace::kAfter;
  EXPECT_EQ(thrown<ConfigError>([&] { check(config); }),
            "decoder-keys is plain, which is about norms before sublayers; norm is after");
}

TEST(TransformerConfig, HeadsMustDivideTheWidth) {
  EXPECT_EQ(complaint([](TransformerConfig& config) { config.attention.heads = 7; }),
            "attention: width of the queries is 512, which 7 heads cannot share equally");
}

TEST(TransformerConfig, TiedTablesMustFit) {
  EXPECT_EQ(complaint([](TransformerConfig& config) { config.tying = Tying::kAll; }),
            "one table for both languages needs one vocabulary; they have 10 and 12 words");
}

TEST(TransformerConfig, MakesTheDecodersSelfAttentionCausalWithoutPredictedPositions) {
  for (const WindowEntry& window : windows()) {
    TransformerConfig config;
    config.attention.window = window.name;
    const AttentionConfig own = decoder_attention(config);
    EXPECT_TRUE(own.causal);
    EXPECT_EQ(own.window, window.name == "local-p" || window.name == "no-end" ? "global" : window.name);
    EXPECT_EQ(own.heads, config.attention.heads);
    EXPECT_FALSE(config.attention.causal);
  }
}

}  // namespace
}  // namespace dhyan
