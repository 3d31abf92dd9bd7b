#include "models/ssru.h"

#include "ops/activations.h"
#include "ops/scan.h"

namespace dhyan {

Ssru::Ssru(ParameterSet& parameters, const std::string& name, const TransformerConfig& config, const Rng& rng)
    : value_(parameters, name + ".value", config.hidden, config.hidden, {.bias = false, .rng = rng}),
      forget_(parameters, name + ".forget", config.hidden, config.hidden, {.rng = rng}) {}

Mixed Ssru::operator()(const MixerInput& input) const {
  const auto& [x, segments] = input.x;
  Scope& scope = x.scope();
  Frame frame(scope);
  const Var start = input.states == nullptr ? Var() : input.states->before(scope, input.layer, x.cols());  // [B,H]
  const Var f = sigmoid(forget_(x));                        // [R,H]  f_t = s(W_f x_t + b_f)
  const Var c = gated_scan(value_(x), f, segments, start);  // [R,H]  c_t = f_t c_{t-1} + (1 - f_t) W x_t
  if (input.states != nullptr) input.states->keep(input.layer, c);
  return {frame.keep(relu(c)), {}};  // [R,H]  o_t = relu(c_t)
}

}  // namespace dhyan
