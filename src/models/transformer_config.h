#pragma once

#include "attention/attention_config.h"
#include "models/tying.h"

namespace dhyan {

enum class NormPlace { kBefore, kAfter };  // of each sublayer ([xiong2020]), or of its sum with what went around it

struct TransformerConfig {
  Index source_vocabulary = 0;
  Index target_vocabulary = 0;
  Index hidden = 512;         // H
  Index feed_forward = 2048;  // F
  Index encoder_layers = 6;
  Index decoder_layers = 6;
  // Of the encoder, and of the decoder at the source. In the decoder's own attention the window is cut to what came
  // before; local-p, which predicts a place in a sentence whose end must be known, is left out there.
  AttentionConfig attention = {.score = "scaled_dot", .heads = 8};
  NormPlace norm = NormPlace::kBefore;
  std::string activation = "relu";       // in the table of activations
  std::string positions = "sinusoidal";  // in the table of position encodings
  Index longest = 1024;                  // learned positions
  Tying tying = Tying::kNone;
  double dropout = 0.1;  // of embeddings, and of what a sublayer adds
  double feed_forward_dropout = 0;
  double word_dropout = 0;  // whole words, of source and target
};

// Of the decoder's attention to itself.
AttentionConfig decoder_attention(const TransformerConfig& config);

// Throws ConfigError for what cannot be built, before anything is.
void check(const TransformerConfig& config);

}  // namespace dhyan
