#include "models/transformer_block.h"

#include "core/table.h"
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

std::string mixer_name(const std::string& name, const TransformerConfig& config, BlockKind kind) {
  return cat(name, ".", kind == BlockKind::kDecoder ? config.decoder_layer : kSelfAttentionLayer);
}

// A decoder-only model reads a prompt like an encoder, many queries at once.
std::unique_ptr<const SequenceMixer> make_mixer(ParameterSet& parameters, const std::string& name,
                                                const TransformerConfig& config, BlockKind kind, const Rng& rng) {
  if (kind == BlockKind::kDecoder) {
    return entry_named("decoder-layer", decoder_layers(), config.decoder_layer).make(parameters, name, config, rng);
  }
  const bool reads_all = kind == BlockKind::kEncoder;
  return make_self_attention(parameters, name, config.hidden, reads_all ? config.attention : decoder_attention(config),
                             rng);
}

}  // namespace

TransformerBlock::TransformerBlock(ParameterSet& parameters, const std::string& name, const TransformerConfig& config,
                                   BlockKind kind, const Rng& rng)
    : mixer_(make_mixer(parameters, mixer_name(name, config, kind), config, kind, rng)),
      around_mixer_(parameters, mixer_name(name, config, kind), config),
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
  const auto mix = [&](const Var& x) {
    const Mixed mixed =
        (*mixer_)({{x, input.x.segments}, rows.x, input.positions, layer, input.cache, input.states, input.attention});
    output.self = mixed.attended;
    return mixed.output;  // [R,H]
  };
  const auto cross_attention = [&](const Var& x) {
    const MultiHeadAttended seen = (*cross_)({x, input.sentences}, source_memory(input, layer), input.steps,
                                             input.attention, {input.edits, layer});
    output.cross = seen.attended;
    return seen.output;  // [R,H]
  };
  const Residual& after_mixer = cross_ ? *around_cross_ : around_feed_;
  output.rows = around_mixer_(rows, after_mixer.first_norm(), mix);                                     // [R,H]
  if (cross_) output.rows = (*around_cross_)(output.rows, around_feed_.first_norm(), cross_attention);  // [R,H]
  output.rows = around_feed_(output.rows, next, feed_);                                                 // [R,H]
  return output;
}

}  // namespace dhyan
