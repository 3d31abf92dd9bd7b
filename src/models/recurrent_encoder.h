#pragma once

#include <memory>

#include "models/encoder.h"
#include "models/recurrent_config.h"
#include "nn/embedding.h"

namespace dhyan {

// Encodes words as annotations: embedding, dropout, recurrent layers.
class RecurrentEncoder final : public Encoder {
 public:
  RecurrentEncoder(ParameterSet& parameters, const RecurrentConfig& config, std::shared_ptr<const Embedding> words,
                   const Rng& rng);

  EncodedSource operator()(Scope& scope, const SourceBatch& source) const override;
  Index width() const override { return layers_.out(); }  // D H
  bool has_states() const override { return true; }

 private:
  std::shared_ptr<const Embedding> words_;
  Dropout dropout_;
  Recurrent layers_;
};

}  // namespace dhyan
