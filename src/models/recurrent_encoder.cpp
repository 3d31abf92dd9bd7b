#include "models/recurrent_encoder.h"

namespace dhyan {

RecurrentEncoder::RecurrentEncoder(ParameterSet& parameters, const RecurrentConfig& config,
                                   std::shared_ptr<const Embedding> words, const Rng& rng)
    : words_(std::move(words)),
      dropout_(config.dropout, DropoutMask::kSentences),
      layers_(parameters, "encoder", {config.embedding, config.hidden},
              {.cell = config.cell,
               .layers = config.encoder_layers,
               .directions = config.directions,
               .stacks = config.stacks,
               .transitions = config.encoder_transitions,
               .between_layers = dropout_,
               .end = {.layer_norm = config.layer_norm, .residual = config.residual},
               .weights = {.norm = config.inner_norm, .rng = rng}}) {}

EncodedSource RecurrentEncoder::operator()(Scope& scope, const SourceBatch& source) const {
  const Var x = dropout_({(*words_)(scope, source.tokens), source.segments});  // [ΣS,E]
  const Recurred recurred = layers_({x, source.segments}, RecurrentPlan(source.segments));
  return {.annotations = {recurred.annotations, source.segments}, .finals = recurred.finals};
}

}  // namespace dhyan
