#pragma once

#include "attention/attention_config.h"
#include "backbones/backbones.h"
#include "models/tying.h"
#include "nn/adapters.h"

namespace dhyan {

// The encoder of models whose sources are text.
inline constexpr std::string_view kTextEncoder = "text";

// The settings that every kind of model has. The config of a kind derives from it and from the kind's own settings:
// RecurrentConfig, TransformerConfig.
struct ModelConfig {
  Index source_vocabulary = 0;
  Index target_vocabulary = 0;
  Index hidden = 256;  // H, width of a layer; in a recurrent encoder, of each direction
  Index encoder_layers = 1;
  Index decoder_layers = 1;
  AttentionConfig attention = {};
  Tying tying = Tying::kNone;
  double dropout = 0;                 // of embeddings, and between layers
  double word_dropout = 0;            // of whole words, in source and target
  std::string encoder{kTextEncoder};  // or the backbone for pictures, in the table of backbones
  BackboneSettings backbone = {};
  AdapterOptions adapter = {};

  bool reads_pictures() const { return encoder != kTextEncoder; }
};

// Throws ConfigError for a setting that no model accepts.
void check(const ModelConfig& config);

// Throws ConfigError for an attention that does not accept queries and keys of these widths.
void check_attention(const AttentionConfig& attention, Index query, Index keys);

}  // namespace dhyan
