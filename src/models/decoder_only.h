#pragma once

#include "models/transformer_network.h"

namespace dhyan {

// The weights of a Transformer without an encoder: one sequence, in which each word sees what came before it. Of the
// configuration it has the target vocabulary, the decoder's layers, and one table of words whatever the tying, unless
// that is kNone: then the output has its own. Parameters words.*, decoder.*, output.*
struct DecoderOnlyNetwork {
  DecoderOnlyNetwork(ParameterSet& parameters, const TransformerConfig& config, const Rng& rng);

  StackOutput operator()(Scope& scope, std::span<const TokenId> tokens, const Segments& segments) const;  // [R,H]

  std::shared_ptr<const Embedding> words;
  TransformerInput input;
  TransformerStack decoder;
  TransformerOutput output;
};

// [radford2019]: each token of a text from those before it. Its context is config.longest. Throws ConfigError for what
// cannot be built.
std::unique_ptr<LanguageModel> make_language_model(const TransformerConfig& config, const Rng& rng);

// The same network as a translator: it reads the source and its </s>, then <s>, and goes on with the target. Both
// languages have one vocabulary.
std::unique_ptr<TranslationModel> make_decoder_only_model(const TransformerConfig& config, const Rng& rng);

}  // namespace dhyan
