#pragma once

#include <memory>

#include "models/decoder.h"
#include "models/transformer_block.h"
#include "nn/embedding.h"
#include "nn/positions.h"

namespace dhyan {

// Embeddings of words plus positions, the input of the first block. With sinusoids, which have size 1, embeddings are
// multiplied by √H to have the same size ([vaswani2017] section 3.4); learned positions begin as small as embeddings.
// TransformerSettings::word_scale may say otherwise. With sentence types, the tokens of a text's sentences, each of
// which ends with </s>, get a row of a table more ([devlin2019] section 3). Parameters name.positions.*,
// name.types.table, name.norm.*
class TransformerInput {
 public:
  // The table of words may be shared.
  TransformerInput(ParameterSet& parameters, const std::string& name, const TransformerConfig& config,
                   std::shared_ptr<const Embedding> words, const Rng& rng);

  Var operator()(Scope& scope, std::span<const TokenId> words, const Segments& segments,
                 std::span<const Index> starts = {}) const;  // [R,H]; without starts, from position 0

  Index longest() const { return positions_->limit(); }  // maximum length of a sequence

  static std::shared_ptr<const Embedding> make_words(ParameterSet& parameters, const std::string& name, Index V,
                                                     const TransformerConfig& config, const Rng& rng);

 private:
  Var sentence_types(Scope& scope, std::span<const TokenId> words, const Segments& segments) const;  // [R,H]

  std::shared_ptr<const Embedding> words_;
  std::unique_ptr<const Positions> positions_;
  std::optional<Embedding> types_;
  std::optional<LayerNorm> norm_;
  double dropout_;
};

struct StackOutput {
  Var y;                                // [R,H]
  std::span<const BlockOutput> layers;  // in the step's arena; their rows are released
};

// Blocks on top of each other, name.0, name.1, ..., and, with norms before the sublayers, one more norm at the end:
// name.norm.
class TransformerStack {
 public:
  TransformerStack(ParameterSet& parameters, const std::string& name, const TransformerConfig& config, BlockKind kind,
                   const Rng& rng);

  StackOutput operator()(const BlockInput& input) const;

  std::vector<Memory> prepare(const Ragged& source) const;  // in a decoder: keys and values of the source by layer

  Index layers() const { return static_cast<Index>(blocks_.size()); }
  Index heads() const { return heads_; }

 private:
  const LayerNorm* norm_after(std::size_t block) const;

  std::vector<TransformerBlock> blocks_;
  std::optional<LayerNorm> norm_;
  Index heads_;
};

// Appends self-attention or cross-attention of each layer, if it is kept.
void append_attention(const StackOutput& output, AttentionPlace place, const kernels::AttentionLayout& layout,
                      std::vector<AttentionStep>& steps);

}  // namespace dhyan
