#pragma once

#include <memory>
#include <string>

#include "attention/multi_head.h"
#include "models/key_value_cache.h"
#include "models/layer_states.h"
#include "models/transformer_config.h"

namespace dhyan {

// What a layer reads of its own sequences.
struct MixerInput {
  Ragged x;                        // [R,H]  rows, normalised if norms are before sublayers,
  Var plain;                       // [R,H]  and as they were before that
  QueryPositions positions;        // of the rows in their sequences
  Index layer = 0;                 // its number, for what follows
  KeyValueCache* cache = nullptr;  // earlier rows, when decoding step by step: keys and values,
  LayerStates* states = nullptr;   // or a state
  KeepAttention attention = KeepAttention::kYes;
};

struct Mixed {
  Var output;         // [R,H]
  Attended attended;  // of a layer that attends, if it is kept
};

// The sublayer of a Transformer's layer in which a row reads other rows of its own sequence. All others see one row.
class SequenceMixer {
 public:
  virtual ~SequenceMixer() = default;
  SequenceMixer(const SequenceMixer&) = delete;
  SequenceMixer& operator=(const SequenceMixer&) = delete;

  virtual Mixed operator()(const MixerInput& input) const = 0;

 protected:
  SequenceMixer() = default;
};

// Self-attention of any config; in decoders it is the entry `self` of the table.
std::unique_ptr<const SequenceMixer> make_self_attention(ParameterSet& parameters, const std::string& name, Index width,
                                                         const AttentionConfig& config, const Rng& rng);

// The table of decoder layers: how a word reads the words before it. A new one is a class and a line in
// sequence_mixer.cpp.
struct DecoderLayerEntry {
  std::string_view name;
  std::string_view reference;  // a key of docs/refs.bib
  bool attends;                // with weights that can be shown
  std::unique_ptr<const SequenceMixer> (*make)(ParameterSet& parameters, const std::string& name,
                                               const TransformerConfig& config, const Rng& rng);
};
std::span<const DecoderLayerEntry> decoder_layers();

}  // namespace dhyan
