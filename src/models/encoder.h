#pragma once

#include <span>
#include <vector>

#include "models/decoder.h"
#include "models/source_batch.h"
#include "nn/state.h"
#include "ops/ragged.h"

namespace dhyan {

// An encoded source, the input of decoders.
struct EncodedSource {
  Ragged annotations;                         // [ΣS,A]  h_j, of words or of the cells of a grid
  std::span<const State> finals = {};         // [B,H] each, of a recurrent encoder, as nn/recurrent.h lists them
  std::vector<AttentionStep> attention = {};  // of the source to itself, by layer, if it is kept; not in training
};

// Makes annotations of sentences or of pictures. Any decoder that attends takes any encoder.
class Encoder {
 public:
  virtual ~Encoder() = default;
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;

  virtual EncodedSource operator()(Scope& scope, const SourceBatch& source) const = 0;

  virtual Index width() const = 0;  // A, of an annotation

  virtual bool has_states() const { return false; }  // EncodedSource::finals

  virtual PictureInput pictures() const { return {}; }

 protected:
  Encoder() = default;
};

// The number of annotations of each source of a batch.
Segments annotation_segments(const Encoder& encoder, const Segments& source);

}  // namespace dhyan
