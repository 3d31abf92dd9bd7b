#include "models/average_attention.h"

#include <algorithm>

#include "ops/activations.h"
#include "ops/arithmetic.h"
#include "ops/scan.h"

namespace dhyan {

namespace {

// The t-th row of a sentence, from 0, leaves t / (t + 1) of the mean before it.
Var shares_before(const MixerInput& input) {
  const auto& [x, segments] = input.x;
  const Tensor shares = x.scope().tensor(x.shape());  // [R,H]
  for (Index b = 0; b < segments.count(); ++b) {
    for (Index t = 0; t < segments.length(b); ++t) {
      const auto place = static_cast<double>(input.positions.at(b, t));
      std::ranges::fill(shares.row(segments.begin(b) + t), static_cast<Real>(place / (place + 1)));
    }
  }
  return x.scope().constant(shares);
}

}  // namespace

AverageAttention::AverageAttention(ParameterSet& parameters, const std::string& name, const TransformerConfig& config,
                                   const Rng& rng)
    : feed_(parameters, name + ".feed",
            {.width = config.hidden,
             .hidden = config.average_hidden == 0 ? config.feed_forward : config.average_hidden,
             .activation = config.activation,
             .dropout = config.feed_forward_dropout,
             .rng = rng}),
      input_(parameters, name + ".input", config.hidden, config.hidden, {.rng = rng}),
      forget_(parameters, name + ".forget", config.hidden, config.hidden, {.rng = rng}) {}

// [zhang2018] eqs. 2-4: g_t = FFN(1/t sum_{k<=t} x_k);  i_t = s(W_i x_t + b_i);  f_t = s(W_f g_t + b_f)
Mixed AverageAttention::operator()(const MixerInput& input) const {
  const auto& [x, segments] = input.x;
  Scope& scope = x.scope();
  Frame frame(scope);
  const Var before = input.states == nullptr ? Var() : input.states->before(scope, input.layer, x.cols());  // [B,H]
  const Var mean = gated_scan(x, shares_before(input), segments, before);                                   // [R,H]
  if (input.states != nullptr) input.states->keep(input.layer, mean);
  const Var g = feed_(mean);                               // [R,H]
  const Var from_x = multiply(sigmoid(input_(x)), x);      // [R,H]
  const Var from_mean = multiply(sigmoid(forget_(g)), g);  // [R,H]
  return {frame.keep(add(from_x, from_mean)), {}};         // [R,H]
}

}  // namespace dhyan
