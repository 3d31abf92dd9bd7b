#pragma once

#include <optional>

#include "core/function_ref.h"
#include "models/sequence_mixer.h"
#include "nn/feed_forward.h"
#include "nn/layer_norm.h"

namespace dhyan {

// Rows between two sublayers.
struct ResidualRows {
  Var x;          // [.,H]
  Var norm = {};  // [.,H]  norm of x for the next sublayer, if it was computed together with x
};

// The residual connection around a sublayer f: x + f(norm x), or norm(x + f(x)), with dropout on f.
// Parameters name.norm.*
class Residual {
 public:
  Residual(ParameterSet& parameters, const std::string& name, const TransformerConfig& config)
      : norm_(parameters, name + ".norm", config.hidden, static_cast<Real>(config.norm_epsilon)),
        place_(config.norm),
        dropout_(config.dropout) {}

  // Without a tape, one pass computes the sum and its norm, here or for the next sublayer. Input rows that are the
  // result of an op are released.
  ResidualRows operator()(const ResidualRows& in, const LayerNorm* next,
                          FunctionRef<Var(const Var& x)> f) const;  // [.,H] -> [.,H]

  // The norm of f's input, or null.
  const LayerNorm* first_norm() const { return place_ == NormPlace::kBefore ? &norm_ : nullptr; }

 private:
  ResidualRows sum(const Var& x, const Var& y, const LayerNorm* next) const;  // [.,H]

  LayerNorm norm_;
  NormPlace place_;
  double dropout_;
};

// The input of a stack: sequences, and the sources that they attend to.
struct BlockInput {
  Ragged x;                               // [R,H]  sequences that attend to themselves
  QueryPositions positions = {};          // the position of each row in its sequence
  KeyValueCache* cache = nullptr;         // earlier rows, when decoding step by step: of layers that attend,
  LayerStates* states = nullptr;          // and of others
  Segments sentences = {};                // in a decoder: the rows by source sentence,
  QueryPositions steps = {};              // and their positions in the translation
  Ragged source = {};                     // [ΣS,H]  the source,
  std::span<const Memory> prepared = {};  // or that as each layer has prepared it
  WeightEdits edits = {};                 // of the attention to the source
  KeepAttention attention = KeepAttention::kYes;
};

struct BlockOutput {
  ResidualRows rows;  // [R,H]
  Attended self;      // self-attention, if it is kept
  Attended cross;     // cross-attention
};

enum class BlockKind { kEncoder, kDecoder, kDecoderOnly };

// [vaswani2017] section 3.1: self-attention, cross-attention in a decoder, feed-forward, each in a residual connection.
// In a decoder with a source, another decoder layer of the table may stand for self-attention. Parameters name.self.*
// or, by the name of that layer, name.ssru.*; name.cross.*, name.feed.*
class TransformerBlock {
 public:
  TransformerBlock(ParameterSet& parameters, const std::string& name, const TransformerConfig& config, BlockKind kind,
                   const Rng& rng);

  // `rows` is input.x after the blocks before; `next` is the norm that reads the output, or null.
  BlockOutput operator()(const ResidualRows& rows, const BlockInput& input, Index layer, const LayerNorm* next) const;

  // In a decoder: keys and values of the source, for a search.
  Memory prepare(const Ragged& source) const;

  const LayerNorm* first_norm() const { return around_mixer_.first_norm(); }

 private:
  Memory source_memory(const BlockInput& input, Index layer) const;

  std::unique_ptr<const SequenceMixer> mixer_;
  Residual around_mixer_;
  std::optional<MultiHeadAttention> cross_;
  std::optional<Residual> around_cross_;
  FeedForward feed_;
  Residual around_feed_;
};

}  // namespace dhyan
