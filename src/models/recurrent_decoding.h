#pragma once

#include <array>

#include "models/decoding_workspace.h"
#include "models/recurrent_decoder.h"

namespace dhyan {

// Runs the decoder step by step, without a tape. Two workspaces alternate, so that a step can read the state of the
// step before.
class RecurrentDecoding final : public Decoding {
 public:
  // Encoder and decoder must outlive it; the source need not.
  RecurrentDecoding(const Encoder& encoder, const RecurrentDecoder& decoder, const SourceBatch& source);

  Index sentences() const override { return beginning_.around.rows.count(); }
  DecoderStep step(const Continuation& continuation) override;
  Var context_vector() const override { return context_vector_; }

 private:
  const RecurrentDecoder& decoder_;
  WeightEdits edits_;
  DecodingWorkspace source_;
  std::array<DecodingWorkspace, 2> workspaces_;
  DecoderBeginning beginning_;
  Var context_vector_;
  DecoderState state_;
  Index place_ = 0;
};

}  // namespace dhyan
