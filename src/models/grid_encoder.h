#pragma once

#include "models/encoder.h"
#include "models/grid_input.h"
#include "nn/dropout.h"
#include "nn/layer_norm.h"

namespace dhyan {

// Encodes pictures as annotations, the cells of a grid, for a recurrent decoder ([xu2015] section 3.1.1).
class GridEncoder final : public Encoder {
 public:
  GridEncoder(ParameterSet& parameters, const ModelConfig& config, const Rng& rng);

  EncodedSource operator()(Scope& scope, const SourceBatch& source) const override;
  Index width() const override { return hidden_; }
  PictureInput pictures() const override { return input_.pictures(); }

 private:
  Index hidden_;
  GridInput input_;
  LayerNorm norm_;
  Dropout dropout_;
};

}  // namespace dhyan
