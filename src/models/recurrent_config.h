#pragma once

#include "models/model_config.h"
#include "nn/recurrent.h"

namespace dhyan {

enum class ContextKind { kNone, kFixed, kAttention };  // the source at every step of the decoder
// When the decoder attends: before its state is updated (Bahdanau); after (Luong); or between the two updates of a
// step, by a first cell that reads the word and a second that reads the context ([sennrich2017]).
enum class Timing { kBefore, kAfter, kBetween };
// s_0 of the decoder, see bridge.h: from final states, or in all layers the same from the mean annotation.
enum class FirstState { kFinal, kMean };
enum class OutputKind { kMaxout, kDeepTanh, kTanh };  // the layer before the output layer; see readout.h

// The settings that only recurrent models have.
struct RecurrentSettings {
  std::string cell = "gru";  // in the table of cells
  Index embedding = 256;     // E
  Index decoder_hidden = 0;  // width of the decoder; 0: the same as ModelConfig::hidden
  Directions directions = Directions::kBoth;
  Stacks stacks = Stacks::kJoint;
  Index encoder_transitions = 0;  // more cells of a step, see CellStack: in each layer of the encoder,
  Index decoder_transitions = 0;  // in the decoder's first layer,
  Index higher_transitions = 0;   // and in the others
  FirstState first_state = FirstState::kFinal;
  ContextKind context = ContextKind::kAttention;
  Timing timing = Timing::kBefore;
  bool input_feeding = true;  // for Timing::kAfter
  OutputKind output = OutputKind::kMaxout;
  Index output_hidden = 256;  // width of the layer before the output layer
  bool layer_norm = false;
  bool residual = false;
  bool inner_norm = false;  // layer norm of products: in cells, additive score, readout and first state
};

// Dropout is variational here: one mask for each sentence.
struct RecurrentConfig : ModelConfig, RecurrentSettings {};

Index decoder_width(const RecurrentConfig& config);

// Throws ConfigError for an impossible config, before anything is built.
void check(const RecurrentConfig& config);

}  // namespace dhyan
