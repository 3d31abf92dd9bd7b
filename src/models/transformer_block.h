#pragma once

#include <optional>

#include "attention/multi_head.h"
#include "core/function_ref.h"
#include "models/key_value_cache.h"
#include "models/transformer_config.h"
#include "nn/feed_forward.h"
#include "nn/layer_norm.h"

namespace dhyan {

// Rows on their way from sublayer to sublayer.
struct ResidualRows {
  Var x;          // [.,H]
  Var norm = {};  // [.,H]  of x, as the next sublayer reads it, where it was computed together with x
};

// The residual connection around a sublayer f: x + f(norm x), or norm(x + f(x)). What f gives is dropped out.
// Parameters name.norm.*
class Residual {
 public:
  Residual(ParameterSet& parameters, const std::string& name, const TransformerConfig& config)
      : norm_(parameters, name + ".norm", config.hidden), place_(config.norm), dropout_(config.dropout) {}

  // Without a tape, the sum and the norm that is taken of it, here or by the sublayer that follows, are one pass, and
  // the rows that come in are used up if they are the result of an op.
  ResidualRows operator()(const ResidualRows& in, const LayerNorm* next,
                          FunctionRef<Var(const Var& x)> f) const;  // [.,H] -> [.,H]

  // The norm that f's input goes through, if it does.
  const LayerNorm* first_norm() const { return place_ == NormPlace::kBefore ? &norm_ : nullptr; }

 private:
  ResidualRows sum(const Var& x, const Var& y, const LayerNorm* next) const;  // [.,H]

  LayerNorm norm_;
  NormPlace place_;
  double dropout_;
};

// The sequences that go through a stack, and what their rows attend to.
struct BlockInput {
  Ragged x;                               // [R,H]  sequences that attend to themselves
  QueryPositions positions = {};          // where in its sequence a row stands
  KeyValueCache* cache = nullptr;         // the rows before, in decoding step by step
  Segments sentences = {};                // of a decoder: the rows by source sentence,
  QueryPositions steps = {};              // and at which word of their translation they are
  Ragged source = {};                     // [ΣS,H]  the source,
  std::span<const Memory> prepared = {};  // or that as each layer has prepared it
  KeepAttention attention = KeepAttention::kYes;
};

struct BlockOutput {
  ResidualRows rows;  // [R,H]
  Attended self;      // to its own sequence, if it is kept
  Attended cross;     // to the source
};

enum class BlockKind { kEncoder, kDecoder, kDecoderOnly };

// [vaswani2017] section 3.1: self-attention, cross-attention in a decoder, feed-forward, each in a residual connection.
// Parameters name.self.*, name.cross.*, name.feed.*
class TransformerBlock {
 public:
  TransformerBlock(ParameterSet& parameters, const std::string& name, const TransformerConfig& config, BlockKind kind,
                   const Rng& rng);

  // `rows` are those of input.x as the blocks before have left them; `next` is the norm that reads what comes out.
  BlockOutput operator()(const ResidualRows& rows, const BlockInput& input, Index layer, const LayerNorm* next) const;

  // Of a decoder: keys and values of the source, for a search.
  Memory prepare(const Ragged& source) const;

  const LayerNorm* first_norm() const { return around_self_.first_norm(); }

 private:
  Memory own_memory(const BlockInput& input, const Var& x, Index layer) const;
  Memory source_memory(const BlockInput& input, Index layer) const;

  MultiHeadAttention self_;
  Residual around_self_;
  std::optional<MultiHeadAttention> cross_;
  std::optional<Residual> around_cross_;
  FeedForward feed_;
  Residual around_feed_;
};

}  // namespace dhyan
