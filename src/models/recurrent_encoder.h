#pragma once

#include <memory>

#include "models/model.h"
#include "models/recurrent_config.h"
#include "nn/embedding.h"

namespace dhyan {

// A source as the decoder is given it.
struct EncodedSource {
  Ragged annotations;             // [ΣS,D H]  h_j
  std::span<const State> finals;  // [B,H] each, as nn/recurrent.h lists them
};

// Words to annotations: embedding, dropout, recurrent layers.
class RecurrentEncoder {
 public:
  RecurrentEncoder(ParameterSet& parameters, const RecurrentConfig& config, std::shared_ptr<const Embedding> words,
                   const Rng& rng);

  EncodedSource operator()(Scope& scope, const SourceBatch& source) const;

 private:
  std::shared_ptr<const Embedding> words_;
  Dropout dropout_;
  Recurrent layers_;
};

}  // namespace dhyan
