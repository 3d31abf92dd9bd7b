#include "models/bridge.h"

#include "core/error.h"
#include "core/table.h"
#include "ops/activations.h"
#include "ops/arena_copy.h"
#include "ops/reductions.h"

namespace dhyan {

namespace {

Var mean_of(const EncodedSource& source) {
  return segment_mean(source.annotations.rows, source.annotations.segments);  // [B,A]
}

// h or c of the top layer, with both directions concatenated; without states, the mean annotation.
Var top_of(const EncodedSource& source, Var State::*part) {
  if (source.finals.empty()) return mean_of(source);                          // [B,A]
  const Var& last = source.finals.back().*part;                               // [B,H]
  if (!last || source.annotations.rows.cols() == last.cols()) return last;    // [B,H]
  return concat_cols({source.finals[source.finals.size() - 2].*part, last});  // [B,2H]
}

bool copies(const RecurrentConfig& config, const Encoder& encoder) {
  return encoder.has_states() && config.directions == Directions::kForward &&
         config.encoder_layers == config.decoder_layers && config.hidden == decoder_width(config);
}

}  // namespace

Var context_vector_of(const EncodedSource& source) { return top_of(source, &State::h); }  // [B,A]

Bridge::Bridge(ParameterSet& parameters, const RecurrentConfig& config, const Encoder& encoder, const Rng& rng)
    : from_context_vector_(config.context != ContextKind::kAttention || !encoder.has_states()),
      depth_(config.decoder_layers),
      has_memory_(entry_named("cell", cells(), config.cell).has_memory) {
  const Index H = decoder_width(config);
  if (config.first_state == FirstState::kMean) {
    if (config.inner_norm) {
      normed_mean_.emplace(parameters, "bridge", encoder.width(), H, rng);
    } else {
      mean_.emplace(parameters, "bridge", encoder.width(), H, LinearOptions{.rng = rng});
    }
    return;
  }
  if (copies(config, encoder)) return;
  const Index in = from_context_vector_ ? encoder.width() : config.hidden;
  for (Index layer = 0; layer < config.decoder_layers; ++layer) {
    const std::string name = cat("bridge.", layer);
    layers_.push_back({Linear(parameters, name + ".h", in, H, {.rng = rng}), {}});
    if (has_memory_) layers_.back().c.emplace(parameters, name + ".c", in, H, LinearOptions{.rng = rng});
  }
}

State Bridge::crossed(const EncodedSource& source) const {
  if (!from_context_vector_) return source.finals.back();         // [B,H]
  return {top_of(source, &State::h), top_of(source, &State::c)};  // [B,A]
}

Var Bridge::from_mean(const EncodedSource& source) const {
  const Var m = mean_of(source);                                 // [B,A]
  return tanh(normed_mean_ ? (*normed_mean_)(m) : (*mean_)(m));  // [B,H]
}

Var Bridge::crossing(const EncodedSource& source) const {
  if (mean_ || normed_mean_) return mean_of(source);
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
  if (mean_ || normed_mean_) {
    const Var s = from_mean(source);  // [B,H]
    const std::span<State> initial = arena_span<State>(s.scope().arena(), static_cast<std::size_t>(depth_));
    for (State& state : initial) state = {s, has_memory_ ? s : Var()};
    return initial;
  }
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
