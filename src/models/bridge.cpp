#include "models/bridge.h"

#include "core/error.h"
#include "core/table.h"
#include "ops/activations.h"
#include "ops/arena_copy.h"
#include "ops/reductions.h"

namespace dhyan {

namespace {

// h or c of the top layer, with both directions concatenated; without states, the mean annotation.
Var top_of(const EncodedSource& source, Var State::*part) {
  if (source.finals.empty()) return segment_mean(source.annotations.rows, source.annotations.segments);  // [B,A]
  const Var& last = source.finals.back().*part;                                                          // [B,H]
  if (!last || source.annotations.rows.cols() == last.cols()) return last;                               // [B,H]
  return concat_cols({source.finals[source.finals.size() - 2].*part, last});                             // [B,2H]
}

bool copies(const RecurrentConfig& config, const Encoder& encoder) {
  return encoder.has_states() && config.directions == Directions::kForward &&
         config.encoder_layers == config.decoder_layers && config.hidden == decoder_width(config);
}

}  // namespace

Var context_vector_of(const EncodedSource& source) { return top_of(source, &State::h); }  // [B,A]

Bridge::Bridge(ParameterSet& parameters, const RecurrentConfig& config, const Encoder& encoder, const Rng& rng)
    : from_context_vector_(config.context != ContextKind::kAttention || !encoder.has_states()) {
  if (copies(config, encoder)) return;
  const bool has_memory = entry_named("cell", cells(), config.cell).has_memory;
  const Index in = from_context_vector_ ? encoder.width() : config.hidden, H = decoder_width(config);
  for (Index layer = 0; layer < config.decoder_layers; ++layer) {
    const std::string name = cat("bridge.", layer);
    layers_.push_back({Linear(parameters, name + ".h", in, H, {.rng = rng}), {}});
    if (has_memory) layers_.back().c.emplace(parameters, name + ".c", in, H, LinearOptions{.rng = rng});
  }
}

State Bridge::crossed(const EncodedSource& source) const {
  if (!from_context_vector_) return source.finals.back();         // [B,H]
  return {top_of(source, &State::h), top_of(source, &State::c)};  // [B,A]
}

Var Bridge::crossing(const EncodedSource& source) const {
  const State z = crossed(source);
  const std::span<const State> states = layers_.empty() ? source.finals : std::span(&z, 1);
  std::vector<Var> parts;
  for (const State& state : states) {
    parts.push_back(state.h);               // [B,.]
    if (state.c) parts.push_back(state.c);  // [B,.]
  }
  return concat_cols(parts);
}

std::span<const State> Bridge::operator()(const EncodedSource& source) const {
  if (layers_.empty()) return source.finals;  // [B,H]
  const State z = crossed(source);
  const std::span<State> initial = arena_span<State>(z.h.scope().arena(), layers_.size());
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const Layer& layer = layers_[i];
    initial[i] = {tanh(layer.h(z.h)), layer.c ? tanh((*layer.c)(z.c)) : Var()};  // [B,H]
  }
  return initial;
}

}  // namespace dhyan
