#pragma once

#include "models/model_config.h"
#include "nn/recurrent.h"

namespace dhyan {

enum class ContextKind { kNone, kFixed, kAttention };  // the source at every step of the decoder
enum class Timing { kBefore, kAfter };                 // attend, then update (Bahdanau); update, then attend (Luong)
enum class OutputKind { kMaxout, kDeepTanh, kTanh };   // the layer before the output layer; see readout.h

// The settings that only recurrent models have.
struct RecurrentSettings {
  std::string cell = "gru";  // in the table of cells
  Index embedding = 256;     // E
  Index decoder_hidden = 0;  // width of the decoder; 0: the same as ModelConfig::hidden
  Directions directions = Directions::kBoth;
  ContextKind context = ContextKind::kAttention;
  Timing timing = Timing::kBefore;
  bool input_feeding = true;  // for Timing::kAfter
  OutputKind output = OutputKind::kMaxout;
  Index output_hidden = 256;  // width of the layer before the output layer
  bool layer_norm = false;
  bool residual = false;
};

// Dropout is variational here: one mask for each sentence.
struct RecurrentConfig : ModelConfig, RecurrentSettings {};

Index decoder_width(const RecurrentConfig& config);

// Throws ConfigError for an impossible config, before anything is built.
void check(const RecurrentConfig& config);

}  // namespace dhyan
