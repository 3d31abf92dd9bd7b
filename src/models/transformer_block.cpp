#include "models/transformer_block.h"

#include "ops/dropout.h"

namespace dhyan {

ResidualRows Residual::operator()(const ResidualRows& in, const LayerNorm* next,
                                  FunctionRef<Var(const Var& x)> f) const {
  Frame frame(in.x.scope());
  ResidualRows out;
  if (place_ == NormPlace::kBefore) {
    const Var y = f(in.norm ? in.norm : norm_(in.x));  // [.,H]
    out = sum(in.x, y, next);                          // [.,H]
  } else {
    const ResidualRows both = sum(in.x, f(in.x), &norm_);  // [.,H]
    out = {.x = both.norm ? both.norm : norm_(both.x)};    // [.,H]
  }
  // Released here and not at the end of the stack's frame, which would hold the rows of all layers at once.
  release(in.x);
  if (in.norm) release(in.norm);
  return {frame.keep(out.x), frame.keep(out.norm)};
}

ResidualRows Residual::sum(const Var& x, const Var& y, const LayerNorm* next) const {
  if (next == nullptr || x.scope().recording()) return {add_dropped(x, y, dropout_)};  // [.,H]
  const SumAndNorm both = next->of_sum(x, y);                                          // [.,H]
  return {both.sum, both.norm};
}

namespace {

// Self-attention of rows. A decoder-only model reads a prompt like an encoder, many queries at once.
AttentionConfig self_attention(const TransformerConfig& config, BlockKind kind) {
  if (kind == BlockKind::kEncoder) return config.attention;
  const AttentionConfig causal = decoder_attention(config);
  return kind == BlockKind::kDecoder ? batch_invariant(causal) : causal;
}

}  // namespace

TransformerBlock::TransformerBlock(ParameterSet& parameters, const std::string& name, const TransformerConfig& config,
                                   BlockKind kind, const Rng& rng)
    : self_(parameters, name + ".self", config.hidden, self_attention(config, kind), rng),
      around_self_(parameters, name + ".self", config),
      feed_(parameters, name + ".feed",
            {.width = config.hidden,
             .hidden = config.feed_forward,
             .activation = config.activation,
             .dropout = config.feed_forward_dropout,
             .rng = rng}),
      around_feed_(parameters, name + ".feed", config) {
  if (kind != BlockKind::kDecoder) return;
  cross_.emplace(parameters, name + ".cross", config.hidden, batch_invariant(config.attention), rng);
  around_cross_.emplace(parameters, name + ".cross", config);
}

// The rows that x attends to in its own sequences: x itself, and the rows before in the cache.
Memory TransformerBlock::own_memory(const BlockInput& input, const Var& x, Index layer) const {
  const Ragged rows{x, input.x.segments};
  if (input.cache == nullptr) return self_.prepare(rows);
  Frame frame(x.scope());
  return input.cache->add(x.scope(), layer, self_.prepare(rows), self_.kv_cache_dtype());
}

Memory TransformerBlock::source_memory(const BlockInput& input, Index layer) const {
  return input.prepared.empty() ? cross_->prepare(input.source) : input.prepared[static_cast<std::size_t>(layer)];
}

Memory TransformerBlock::prepare(const Ragged& source) const {
  Frame frame(source.rows.scope());
  return keep(frame, cast(cross_->prepare(source), cross_->kv_cache_dtype()));
}

BlockOutput TransformerBlock::operator()(const ResidualRows& rows, const BlockInput& input, Index layer,
                                         const LayerNorm* next) const {
  BlockOutput output;
  const auto self_attention = [&](const Var& x) {
    const MultiHeadAttended seen =
        self_({x, input.x.segments}, own_memory(input, x, layer), input.positions, input.attention);
    output.self = seen.attended;
    return seen.output;  // [R,H]
  };
  const auto cross_attention = [&](const Var& x) {
    const MultiHeadAttended seen = (*cross_)({x, input.sentences}, source_memory(input, layer), input.steps,
                                             input.attention, {input.edits, layer});
    output.cross = seen.attended;
    return seen.output;  // [R,H]
  };
  const Residual& after_self = cross_ ? *around_cross_ : around_feed_;
  output.rows = around_self_(rows, after_self.first_norm(), self_attention);                            // [R,H]
  if (cross_) output.rows = (*around_cross_)(output.rows, around_feed_.first_norm(), cross_attention);  // [R,H]
  output.rows = around_feed_(output.rows, next, feed_);                                                 // [R,H]
  return output;
}

}  // namespace dhyan
