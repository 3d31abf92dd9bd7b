#pragma once

#include "models/model_config.h"
#include "nn/recurrent.h"

namespace dhyan {

enum class ContextKind { kNone, kFixed, kAttention };  // what the decoder sees of the source at every step
enum class Timing { kBefore, kAfter };                 // attend, then update (Bahdanau); update, then attend (Luong)
enum class OutputKind { kMaxout, kDeepTanh, kTanh };   // the layer under the output weight; see readout.h

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
  Index output_hidden = 256;  // width of the maxout or tanh layer under the output weight
  bool layer_norm = false;
  bool residual = false;
};

// Dropout is variational here: one mask for each sentence.
struct RecurrentConfig : ModelConfig, RecurrentSettings {};

Index decoder_width(const RecurrentConfig& config);

// Throws ConfigError for a model that cannot be built, before anything is.
void check(const RecurrentConfig& config);

}  // namespace dhyan
