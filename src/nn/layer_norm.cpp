#include "nn/layer_norm.h"

namespace dhyan {

namespace {

const Parameter* add_gain(ParameterSet& parameters, const std::string& name, Index H) {
  const Parameter& gain = parameters.add(name + ".gain", {H});
  gain.value.fill(1);
  return &gain;
}

}  // namespace

LayerNorm::LayerNorm(ParameterSet& parameters, const std::string& name, Index H, Real epsilon)
    : gain_(add_gain(parameters, name, H)), bias_(&parameters.add(name + ".bias", {H})), epsilon_(epsilon) {}

Var LayerNorm::operator()(const Var& x) const {
  return layer_norm(x, x.scope().parameter(*gain_), x.scope().parameter(*bias_), epsilon_);  // [.,H]
}

SumAndNorm LayerNorm::of_sum(const Var& x, const Var& y) const {
  return add_layer_norm(x, y, x.scope().parameter(*gain_), x.scope().parameter(*bias_), epsilon_);  // [.,H]
}

RmsNorm::RmsNorm(ParameterSet& parameters, const std::string& name, Index H, Real epsilon)
    : gain_(add_gain(parameters, name, H)), epsilon_(epsilon) {}

Var RmsNorm::operator()(const Var& x) const { return rms_norm(x, x.scope().parameter(*gain_), epsilon_); }  // [.,H]

}  // namespace dhyan
