#include "models/transformer_encoder.h"

#include "ops/dropout.h"

namespace dhyan {

TransformerEncoder::TransformerEncoder(ParameterSet& parameters, const TransformerConfig& config,
                                       std::shared_ptr<const Embedding> words, const Rng& rng)
    : hidden_(config.hidden),
      dropout_(config.dropout),
      words_(config.reads_pictures()
                 ? std::nullopt
                 : std::optional<TransformerInput>(std::in_place, parameters, "source", config, std::move(words), rng)),
      cells_(config.reads_pictures() ? std::optional<GridInput>(std::in_place, parameters, "encoder", config, rng)
                                     : std::nullopt),
      layers_(parameters, "encoder", config, BlockKind::kEncoder, rng) {}

Ragged TransformerEncoder::input(Scope& scope, const SourceBatch& source) const {
  if (words_) return {(*words_)(scope, source.tokens, source.segments), source.segments};  // [ΣS,H]
  const Ragged cells = (*cells_)(scope, source);                                           // [B*h*w,H]
  return {dropout(cells.rows, dropout_), cells.segments};
}

EncodedSource TransformerEncoder::operator()(Scope& scope, const SourceBatch& source) const {
  const Ragged x = input(scope, source);
  const StackOutput output = layers_({.x = x, .attention = source.attention});  // [ΣS,H]
  EncodedSource encoded{.annotations = {output.y, x.segments}};
  if (scope.recording()) return encoded;  // training reads the annotations alone
  append_attention(output, AttentionPlace::kEncoder, {x.segments, x.segments, layers_.heads()}, encoded.attention);
  return encoded;
}

}  // namespace dhyan
