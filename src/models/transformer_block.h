#pragma once

#include <optional>

#include "attention/multi_head.h"
#include "models/key_value_cache.h"
#include "models/transformer_config.h"
#include "nn/feed_forward.h"
#include "nn/layer_norm.h"

namespace dhyan {

// One way around a sublayer f: x + f(norm x), or norm(x + f(x)). What f gives is dropped out. Parameters name.norm.*
class Residual {
 public:
  Residual(ParameterSet& parameters, const std::string& name, const TransformerConfig& config)
      : norm_(parameters, name + ".norm", config.hidden), place_(config.norm), dropout_(config.dropout) {}

  template <class F>
  Var operator()(const Var& x, const F& f) const {  // [.,H] -> [.,H]
    if (place_ == NormPlace::kAfter) return ended(sum(x, f(x)), norm_);
    const Var inner = norm_(x);  // [.,H]
    return sum(x, ended(inner, f));
  }

 private:
  // f(x), which x was made for.
  template <class F>
  static Var ended(const Var& x, const F& f) {
    const Var y = f(x);  // [.,H]
    drop(x);
    return y;
  }

  Var sum(const Var& x, const Var& y) const;  // [.,H]  y was made for it

  LayerNorm norm_;
  NormPlace place_;
  double dropout_;
};

// Rows on their way through the blocks, and what they can look at.
struct BlockInput {
  Ragged x;                               // [R,H]  sequences that attend to themselves
  QueryPositions positions = {};          // where in its sequence a row stands
  KeyValueCache* cache = nullptr;         // what came before, in decoding step by step
  Segments sentences = {};                // of a decoder: the rows by source sentence,
  QueryPositions steps = {};              // and at which word of their translation they are
  Ragged source = {};                     // [ΣS,H]  the source,
  std::span<const Memory> prepared = {};  // or that as each layer has prepared it
  KeepAttention attention = KeepAttention::kYes;
};

struct BlockOutput {
  Var y;           // [R,H]  gone, without a tape, once the next block has run
  Attended self;   // to its own sequence, if it is kept
  Attended cross;  // to the source
};

enum class BlockKind { kEncoder, kDecoder, kDecoderOnly };

// [vaswani2017] section 3.1: self-attention, cross-attention in a decoder, feed-forward, each with its way around.
// Parameters name.self.*, name.cross.*, name.feed.*
class TransformerBlock {
 public:
  TransformerBlock(ParameterSet& parameters, const std::string& name, const TransformerConfig& config, BlockKind kind,
                   const Rng& rng);

  BlockOutput operator()(const BlockInput& input, Index layer) const;

  Memory prepare(const Ragged& source) const { return cross_->prepare(source); }  // of a decoder

 private:
  Memory own_memory(const BlockInput& input, const Var& x, Index layer) const;

  MultiHeadAttention self_;
  Residual around_self_;
  std::optional<MultiHeadAttention> cross_;
  std::optional<Residual> around_cross_;
  FeedForward feed_;
  Residual around_feed_;
};

}  // namespace dhyan
