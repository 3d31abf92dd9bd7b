#include "models/grid_encoder.h"

namespace dhyan {

GridEncoder::GridEncoder(ParameterSet& parameters, const ModelConfig& config, const Rng& rng)
    : hidden_(config.hidden),
      input_(parameters, "encoder", config, rng),
      norm_(parameters, "encoder.norm", config.hidden),
      dropout_(config.dropout, DropoutMask::kSentences) {}

EncodedSource GridEncoder::operator()(Scope& scope, const SourceBatch& source) const {
  const Ragged cells = input_(scope, source);  // [B*h*w,H]
  return {.annotations = {dropout_({norm_(cells.rows), cells.segments}), cells.segments}};
}

}  // namespace dhyan
