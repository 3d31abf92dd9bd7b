#pragma once

#include "models/model.h"
#include "models/transformer_stack.h"
#include "ops/output_loss.h"

namespace dhyan {

// The weights of an encoder-decoder, and the ways through them.
struct TransformerNetwork {
  TransformerNetwork(ParameterSet& parameters, const TransformerConfig& config, const Rng& rng);

  StackOutput encode(Scope& scope, const SourceBatch& source) const;  // [ΣS,H]

  OutputLayer output(Scope& scope) const {
    return {scope.parameter(*output_weight), scope.parameter(*output_bias)};  // [V,H], [V]
  }

  std::shared_ptr<const Embedding> target_words;
  TransformerInput source_input, target_input;
  TransformerStack encoder, decoder;
  const Parameter* output_weight;
  const Parameter* output_bias;
};

}  // namespace dhyan
