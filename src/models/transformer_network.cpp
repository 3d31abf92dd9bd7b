#include "models/transformer_network.h"

#include "models/transformer_encoder.h"

namespace dhyan {

namespace {

std::unique_ptr<const Encoder> make_encoder(ParameterSet& parameters, const TransformerConfig& config,
                                            const std::shared_ptr<const Embedding>& target_words, const Rng& rng) {
  std::shared_ptr<const Embedding> words = config.tying == Tying::kAll ? target_words : nullptr;
  if (words == nullptr && !config.reads_pictures()) {
    words = TransformerInput::make_words(parameters, "source", config.source_vocabulary, config, rng);
  }
  return std::make_unique<TransformerEncoder>(parameters, config, std::move(words), rng);
}

}  // namespace

TransformerOutput::TransformerOutput(ParameterSet& parameters, const Embedding& words, Tying tying, const Rng& rng)
    : weight_(tying == Tying::kNone ? add_table(parameters, "output.weight", words.table().value.shape(), {}, rng)
                                    : &words.table()),
      bias_(&parameters.add("output.bias", {words.table().value.rows()})) {}

TransformerNetwork::TransformerNetwork(ParameterSet& parameters, const TransformerConfig& config, const Rng& rng)
    : target_words(TransformerInput::make_words(parameters, config.tying == Tying::kAll ? "words" : "target",
                                                config.target_vocabulary, config, rng)),
      encoder(make_encoder(parameters, config, target_words, rng)),
      target_input(parameters, "target", config, target_words, rng),
      decoder(parameters, "decoder", config, BlockKind::kDecoder, rng),
      output(parameters, *target_words, config.tying, rng) {}

StackOutput TransformerNetwork::teacher_forced(Scope& scope, const SourceBatch& source, std::span<const TokenId> inputs,
                                               const Segments& targets) const {
  const EncodedSource encoded = (*encoder)(scope, source);                        // [ΣS,H]
  const Ragged x{target_input(scope, inputs, targets), targets};                  // [ΣT,H]
  return decoder({.x = x, .sentences = targets, .source = encoded.annotations});  // [ΣT,H]
}

}  // namespace dhyan
