#pragma once

#include <optional>

#include "attention/multi_head.h"
#include "models/key_value_cache.h"
#include "models/transformer_config.h"
#include "nn/feed_forward.h"
#include "nn/layer_norm.h"

namespace dhyan {

// Rows on their way from sublayer to sublayer.
struct ResidualRows {
  Var x;          // [.,H]
  Var norm = {};  // [.,H]  of x, as the next sublayer is given it, where it was made along with x
};

// One way around a sublayer f: x + f(norm x), or norm(x + f(x)). What f gives is dropped out. Parameters name.norm.*
class Residual {
 public:
  Residual(ParameterSet& parameters, const std::string& name, const TransformerConfig& config)
      : norm_(parameters, name + ".norm", config.hidden), place_(config.norm), dropout_(config.dropout) {}

  // Without a tape, the sum and the norm that is taken of it, here or by the sublayer that follows, are one pass.
  template <class F>
  ResidualRows operator()(const ResidualRows& in, const LayerNorm* next, const F& f) const {  // [.,H] -> [.,H]
    if (place_ == NormPlace::kAfter) return norm_of_sum(in.x, f(in.x));
    const Var inner = in.norm ? in.norm : norm_(in.x);  // [.,H]
    const Var y = f(inner);                             // [.,H]
    release(inner);
    return sum(in.x, y, next);
  }

  // What it takes of its rows before anything else, if it does.
  const LayerNorm* first_norm() const { return place_ == NormPlace::kBefore ? &norm_ : nullptr; }

 private:
  ResidualRows norm_of_sum(const Var& x, const Var& y) const;                 // [.,H]  y was made for it
  ResidualRows sum(const Var& x, const Var& y, const LayerNorm* next) const;  // [.,H]  likewise

  LayerNorm norm_;
  NormPlace place_;
  double dropout_;
};

// Rows on their way through the blocks, and what they can look at.
struct BlockInput {
  Ragged x;                               // [R,H]  sequences that attend to themselves
  Var norm = {};                          // [R,H]  of x, where the block before has made it,
  const LayerNorm* next = nullptr;        // and what the one behind will be given of this one's rows
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
  Var norm;        // [R,H]  of y by BlockInput::next, if it was made
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

  // Of a decoder: the source, for a search.
  Memory prepare(const Ragged& source) const { return cast(cross_->prepare(source), cross_->kv_cache_dtype()); }

  const LayerNorm* first_norm() const { return around_self_.first_norm(); }

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
