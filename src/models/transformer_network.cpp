#include "models/transformer_network.h"

namespace dhyan {

namespace {

std::shared_ptr<const Embedding> source_words(ParameterSet& parameters, const TransformerConfig& config,
                                              const std::shared_ptr<const Embedding>& target_words, const Rng& rng) {
  if (config.tying == Tying::kAll) return target_words;
  return TransformerInput::make_words(parameters, "source", config.source_vocabulary, config, rng);
}

}  // namespace

TransformerOutput::TransformerOutput(ParameterSet& parameters, const Embedding& words, Tying tying, const Rng& rng)
    : weight_(tying == Tying::kNone ? add_table(parameters, "output.weight", words.table().value.shape(), {}, rng)
                                    : &words.table()),
      bias_(&parameters.add("output.bias", {words.table().value.rows()})) {}

TransformerNetwork::TransformerNetwork(ParameterSet& parameters, const TransformerConfig& config, const Rng& rng)
    : target_words(TransformerInput::make_words(parameters, config.tying == Tying::kAll ? "words" : "target",
                                                config.target_vocabulary, config, rng)),
      source_input(parameters, "source", config, source_words(parameters, config, target_words, rng), rng),
      target_input(parameters, "target", config, target_words, rng),
      encoder(parameters, "encoder", config, BlockKind::kEncoder, rng),
      decoder(parameters, "decoder", config, BlockKind::kDecoder, rng),
      output(parameters, *target_words, config.tying, rng) {}

StackOutput TransformerNetwork::encode(Scope& scope, const SourceBatch& source) const {
  return encoder({.x = {source_input(scope, source.tokens, source.segments), source.segments},  // [ΣS,H]
                  .attention = source.attention});
}

StackOutput TransformerNetwork::teacher_forced(Scope& scope, const SourceBatch& source, std::span<const TokenId> inputs,
                                               const Segments& targets) const {
  const Ragged annotations{encode(scope, source).y, source.segments};     // [ΣS,H]
  const Ragged x{target_input(scope, inputs, targets), targets};          // [ΣT,H]
  return decoder({.x = x, .sentences = targets, .source = annotations});  // [ΣT,H]
}

}  // namespace dhyan
