#pragma once

#include "attention/attention_config.h"
#include "models/tying.h"
#include "nn/recurrent.h"

namespace dhyan {

enum class ContextKind { kNone, kFixed, kAttention };  // what the decoder sees of the source at every step
enum class Timing { kBefore, kAfter };                 // attend, then update (Bahdanau); update, then attend (Luong)
enum class OutputKind { kMaxout, kDeepTanh, kTanh };   // what the layer under the output weight is; see readout.h

struct RecurrentConfig {
  Index source_vocabulary = 0;
  Index target_vocabulary = 0;
  std::string cell = "gru";  // in the table of cells
  Index embedding = 256;     // E
  Index hidden = 256;        // H, of the encoder in each direction
  Index decoder_hidden = 0;  // of the decoder; 0: as many
  Index encoder_layers = 1;
  Index decoder_layers = 1;
  Directions directions = Directions::kBoth;
  ContextKind context = ContextKind::kAttention;
  Timing timing = Timing::kBefore;
  AttentionConfig attention = {};
  bool input_feeding = true;  // of Timing::kAfter
  OutputKind output = OutputKind::kMaxout;
  Index output_hidden = 256;  // width of the maxout or tanh layer under the output weight
  Tying tying = Tying::kNone;
  double dropout = 0;  // variational: one mask for each sentence; on embeddings, between layers and before the output
  double word_dropout = 0;  // whole words, of source and target
  bool layer_norm = false;
  bool residual = false;
};

Index decoder_width(const RecurrentConfig& config);

// Throws ConfigError for what cannot be built, before anything is.
void check(const RecurrentConfig& config);

}  // namespace dhyan
