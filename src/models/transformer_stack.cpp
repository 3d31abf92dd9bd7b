#include "models/transformer_stack.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "ops/arena_copy.h"
#include "ops/arithmetic.h"
#include "ops/dropout.h"

namespace dhyan {

namespace {

constexpr Index kKeptSinusoids = 256;  // later positions are computed when they are needed

// Uniform with a standard deviation of 1/√H if embeddings are multiplied by √H, else of 0.02 ([radford2019]).
Initializer table_of(const TransformerConfig& config) {
  const double deviation = scales_words(config) ? 1 / std::sqrt(static_cast<double>(config.hidden)) : 0.02;
  return {.name = "uniform", .number = std::sqrt(3.0) * deviation};
}

}  // namespace

TransformerInput::TransformerInput(ParameterSet& parameters, const std::string& name, const TransformerConfig& config,
                                   std::shared_ptr<const Embedding> words, const Rng& rng)
    : words_(std::move(words)),
      positions_(make_positions(config.positions, parameters, name + ".positions",
                                {.hidden = config.hidden,
                                 .limit = positions_by_formula(config) ? kKeptSinusoids : config.longest,
                                 .first = config.first_position,
                                 .table = table_of(config),
                                 .rng = rng})),
      dropout_(config.dropout) {
  if (const Index types = config.masked.sentence_types; types > 0) {
    types_.emplace(parameters, name + ".types", types, config.hidden,
                   EmbeddingOptions{.table = table_of(config), .rng = rng});
  }
  if (config.embedding_norm == EmbeddingNorm::kLayer) {
    norm_.emplace(parameters, name + ".norm", config.hidden, static_cast<Real>(config.norm_epsilon));
  }
}

// The number of a token's sentence in its text is the number of </s> before it; the last type is that of all others.
Var TransformerInput::sentence_types(Scope& scope, std::span<const TokenId> words, const Segments& segments) const {
  const std::span<RowId> types = arena_span<RowId>(scope.arena(), words.size());
  const auto last = static_cast<RowId>(types_->table().value.rows() - 1);
  for (Index b = 0; b < segments.count(); ++b) {
    RowId type = 0;
    for (Index i = segments.begin(b); i < segments.begin(b) + segments.length(b); ++i) {
      types[static_cast<std::size_t>(i)] = std::min(type, last);
      if (words[static_cast<std::size_t>(i)] == kEnd) ++type;
    }
  }
  return (*types_)(scope, types);  // [R,H]
}

std::shared_ptr<const Embedding> TransformerInput::make_words(ParameterSet& parameters, const std::string& name,
                                                              Index V, const TransformerConfig& config,
                                                              const Rng& rng) {
  const EmbeddingScale scale = scales_words(config) ? EmbeddingScale::kRootOfWidth : EmbeddingScale::kNone;
  const EmbeddingOptions options{
      .scale = scale, .word_dropout = config.word_dropout, .table = table_of(config), .rng = rng};
  return std::make_shared<Embedding>(parameters, name, V, config.hidden, options);
}

Var TransformerInput::operator()(Scope& scope, std::span<const TokenId> words, const Segments& segments,
                                 std::span<const Index> starts) const {
  Var x = positions_->of_words(scope, *words_, words, segments, starts);  // [R,H]
  if (types_) x = add(x, sentence_types(scope, words, segments));         // [R,H]
  if (norm_) x = (*norm_)(x);                                             // [R,H]
  return dropout(x, dropout_);                                            // [R,H]
}

TransformerStack::TransformerStack(ParameterSet& parameters, const std::string& name, const TransformerConfig& config,
                                   BlockKind kind, const Rng& rng)
    : heads_(config.attention.heads) {
  const Index layers = kind == BlockKind::kEncoder ? config.encoder_layers : config.decoder_layers;
  for (Index layer = 0; layer < layers; ++layer) {
    blocks_.emplace_back(parameters, cat(name, ".", layer), config, kind, rng);
  }
  if (config.norm == NormPlace::kBefore)
    norm_.emplace(parameters, name + ".norm", config.hidden, static_cast<Real>(config.norm_epsilon));
}

StackOutput TransformerStack::operator()(const BlockInput& input) const {
  Scope& scope = input.x.rows.scope();
  const std::span<BlockOutput> layers = arena_span<BlockOutput>(scope.arena(), blocks_.size());
  Frame frame(scope);
  ResidualRows rows{input.x.rows};  // [R,H]
  for (std::size_t l = 0; l < blocks_.size(); ++l) {
    layers[l] = blocks_[l](rows, input, static_cast<Index>(l), norm_after(l));
    rows = layers[l].rows;
  }
  if (norm_ && !rows.norm) rows.norm = (*norm_)(rows.x);  // [R,H]
  return {frame.keep(norm_ ? rows.norm : rows.x), layers};
}

// The norm that reads the output of a block, or null.
const LayerNorm* TransformerStack::norm_after(std::size_t block) const {
  if (block + 1 < blocks_.size()) return blocks_[block + 1].first_norm();
  return norm_ ? &*norm_ : nullptr;
}

std::vector<Memory> TransformerStack::prepare(const Ragged& source) const {
  std::vector<Memory> memories;
  for (const TransformerBlock& block : blocks_) memories.push_back(block.prepare(source));
  return memories;
}

void append_attention(const StackOutput& output, AttentionPlace place, const kernels::AttentionLayout& layout,
                      std::vector<AttentionStep>& steps) {
  for (std::size_t l = 0; l < output.layers.size(); ++l) {
    const Attended& seen = place == AttentionPlace::kCross ? output.layers[l].cross : output.layers[l].self;
    if (!seen.weights) continue;
    steps.push_back({place, static_cast<Index>(l), layout, seen.energy, seen.weights, seen.context, seen.parts});
  }
}

}  // namespace dhyan
