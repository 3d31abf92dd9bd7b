#pragma once

#include "models/model.h"
#include "models/transformer_network.h"

namespace dhyan {

// The layers of a Transformer without an encoder: one sequence, in which each word attends to the words before it. It
// uses the target vocabulary and the decoder's layers of the configuration, and one embedding table, which is also the
// output weight unless tying is kNone. Parameters words.*, decoder.*, output.*
struct DecoderOnlyNetwork {
  DecoderOnlyNetwork(ParameterSet& parameters, const TransformerConfig& config, const Rng& rng);

  StackOutput operator()(Scope& scope, std::span<const TokenId> tokens, const Segments& segments) const;  // [R,H]

  std::shared_ptr<const Embedding> words;
  TransformerInput input;
  TransformerStack decoder;
  TransformerOutput output;
};

// [radford2019]: predicts each token of a text from those before it. The context is config.longest. Throws ConfigError
// for an impossible config.
std::unique_ptr<LanguageModel> make_language_model(const TransformerConfig& config, const Rng& rng);

// The same network as a translator: it reads the source and its </s>, then <s>, and continues with the target. Both
// languages have one vocabulary.
std::unique_ptr<TranslationModel> make_decoder_only_model(const TransformerConfig& config, const Rng& rng);

}  // namespace dhyan
