#include "nn/linear.h"

#include "ops/linear.h"

namespace dhyan {

Linear::Linear(ParameterSet& parameters, const std::string& name, Index in, Index out, const LinearOptions& options)
    : weight_(add_weight(parameters, name + ".weight", {in, out}, options.weight, options.rng)) {
  if (options.bias) bias_ = &parameters.add(name + ".bias", {out});
}

Var Linear::operator()(const Var& x) const {
  Scope& scope = x.scope();
  return linear(x, scope.parameter(*weight_), bias_ != nullptr ? scope.parameter(*bias_) : Var());  // [.,O]
}

}  // namespace dhyan
