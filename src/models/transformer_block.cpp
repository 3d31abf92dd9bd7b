#include "models/transformer_block.h"

#include "ops/dropout.h"

namespace dhyan {

ResidualRows Residual::sum(const Var& x, const Var& y, const LayerNorm* next) const {
  ResidualRows rows;
  if (next == nullptr || x.scope().recording()) {
    rows.x = add_dropped(x, y, dropout_);  // [.,H]
  } else {
    const SumAndNorm both = next->of_sum(x, y);  // [.,H]
    rows = {both.sum, both.norm};
  }
  release(y);
  return rows;
}

ResidualRows Residual::norm_of_sum(const Var& x, const Var& y) const {
  const ResidualRows rows = sum(x, y, &norm_);             // [.,H]
  const Var norm = rows.norm ? rows.norm : norm_(rows.x);  // [.,H]
  release(rows.x);
  return {norm};
}

TransformerBlock::TransformerBlock(ParameterSet& parameters, const std::string& name, const TransformerConfig& config,
                                   BlockKind kind, const Rng& rng)
    : self_(parameters, name + ".self", config.hidden,
            kind == BlockKind::kEncoder ? config.attention : decoder_attention(config), rng),
      around_self_(parameters, name + ".self", config),
      feed_(parameters, name + ".feed",
            {.width = config.hidden,
             .hidden = config.feed_forward,
             .activation = config.activation,
             .dropout = config.feed_forward_dropout,
             .rng = rng}),
      around_feed_(parameters, name + ".feed", config) {
  if (kind != BlockKind::kDecoder) return;
  cross_.emplace(parameters, name + ".cross", config.hidden, config.attention, rng);
  around_cross_.emplace(parameters, name + ".cross", config);
}

// What the rows of x look at in their own sequences: each other, and what the cache holds from before.
Memory TransformerBlock::own_memory(const BlockInput& input, const Var& x, Index layer) const {
  const Memory fresh = self_.prepare({x, input.x.segments});
  if (input.cache == nullptr) return fresh;
  const Memory all = input.cache->add(x.scope(), layer, fresh, self_.kv_cache_dtype());
  release(fresh);
  return all;
}

BlockOutput TransformerBlock::operator()(const BlockInput& input, Index layer) const {
  BlockOutput output;
  const Residual& after_self = cross_ ? *around_cross_ : around_feed_;
  ResidualRows y = around_self_({input.x.rows, input.norm}, after_self.first_norm(), [&](const Var& x) {  // [R,H]
    const Memory memory = own_memory(input, x, layer);
    const MultiHeadAttended seen = self_({x, input.x.segments}, memory, input.positions, input.attention);
    output.self = release_unless(seen.attended, input.attention);
    if (seen.attended.parts == nullptr) release(memory);
    return seen.output;  // [R,H]
  });
  if (cross_) {
    const bool is_prepared = !input.prepared.empty();
    const Memory source = is_prepared ? input.prepared[static_cast<std::size_t>(layer)] : cross_->prepare(input.source);
    const ResidualRows before = y;
    y = (*around_cross_)(before, around_feed_.first_norm(), [&](const Var& x) {  // [R,H]
      const MultiHeadAttended seen = (*cross_)({x, input.sentences}, source, input.steps, input.attention);
      output.cross = release_unless(seen.attended, input.attention);
      if (!is_prepared) release(source);
      return seen.output;  // [R,H]
    });
    release(before.x);
  }
  const ResidualRows end = around_feed_(y, input.next, feed_);  // [R,H]
  release(y.x);
  output.y = end.x;
  output.norm = end.norm;
  return output;
}

}  // namespace dhyan
