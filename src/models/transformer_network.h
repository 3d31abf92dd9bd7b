#pragma once

#include "models/encoder.h"
#include "models/transformer_stack.h"
#include "ops/output_loss.h"

namespace dhyan {

// The output layer; its weight may be the embedding table ([press2017]). Parameters output.weight, unless
// tied, and output.bias.
class TransformerOutput {
 public:
  TransformerOutput(ParameterSet& parameters, const Embedding& words, Tying tying, const Rng& rng);

  OutputLayer operator()(Scope& scope) const {
    return {scope.parameter(*weight_), scope.parameter(*bias_)};  // [V,H], [V]
  }

 private:
  const Parameter* weight_;
  const Parameter* bias_;
};

// The layers of an encoder-decoder Transformer.
struct TransformerNetwork {
  TransformerNetwork(ParameterSet& parameters, const TransformerConfig& config, const Rng& rng);

  // The decoder at every target word, given the words before it in `inputs`, which have the lengths of `targets`.
  StackOutput teacher_forced(Scope& scope, const SourceBatch& source, std::span<const TokenId> inputs,
                             const Segments& targets) const;  // [ΣT,H]

  std::shared_ptr<const Embedding> target_words;
  std::unique_ptr<const Encoder> encoder;
  TransformerInput target_input;
  TransformerStack decoder;
  TransformerOutput output;
};

}  // namespace dhyan
