#pragma once

#include "models/decoding_workspace.h"
#include "models/transformer_network.h"

namespace dhyan {

// Runs the decoder step by step, without a tape: a step computes its own rows and attends to earlier ones in a KV
// cache, or continues the states of its layers.
class TransformerDecoding final : public Decoding {
 public:
  // The network must outlive it; the source need not.
  TransformerDecoding(const TransformerNetwork& network, const SourceBatch& source);

  Index sentences() const override { return sources().count(); }
  DecoderStep step(const Continuation& continuation) override;
  std::vector<AttentionStep> source_attention() const override { return encoded_.attention; }

 private:
  const Segments& sources() const { return encoded_.annotations.segments; }

  const TransformerNetwork& network_;
  WeightEdits edits_;
  DecodingWorkspace source_, now_;
  EncodedSource encoded_;
  std::vector<Memory> memories_;  // of each layer
  KeyValueCache cache_;
  LayerStates states_;
  Index place_ = 0;
};

}  // namespace dhyan
