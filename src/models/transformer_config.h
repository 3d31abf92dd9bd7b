#pragma once

#include "models/model_config.h"

namespace dhyan {

enum class NormPlace { kBefore, kAfter };  // of a sublayer's input ([xiong2020]), or of its residual sum

// The settings that only Transformers have.
struct TransformerSettings {
  Index feed_forward = 2048;  // F
  NormPlace norm = NormPlace::kBefore;
  std::string activation = "relu";       // in the table of activations
  std::string positions = "sinusoidal";  // in the table of position encodings
  Index longest = 1024;                  // learned positions
  double feed_forward_dropout = 0;
};

// ModelConfig::attention is that of the encoder, and of the decoder to the source; dropout is of embeddings and of what
// a sublayer adds.
struct TransformerConfig : ModelConfig, TransformerSettings {};

// The decoder's attention to itself. A causal mask cuts the window; local-p, which predicts a position in a sentence
// whose end must be known, becomes global.
AttentionConfig decoder_attention(const TransformerConfig& config);

// Throws ConfigError for a model that cannot be built, before anything is.
void check(const TransformerConfig& config);

}  // namespace dhyan
