#include "nn/linear.h"

#include "nn/adapters.h"
#include "ops/arithmetic.h"
#include "ops/linear.h"

namespace dhyan {

Linear::Linear(ParameterSet& parameters, const std::string& name, Index in, Index out, const LinearOptions& options)
    : weight_(add_weight(parameters, name + ".weight", {in, out}, options.weight, options.rng)) {
  parameters.find(weight_->name)->takes_adapter = true;
  if (options.bias) bias_ = &parameters.add(name + ".bias", {out});
}

Var Linear::operator()(const Var& x) const {
  Scope& scope = x.scope();
  const Var bias = bias_ != nullptr ? scope.parameter(*bias_) : Var();
  if (!weight_->adapter) return linear(x, scope.parameter(*weight_), bias);  // [.,O]
  Frame frame(scope);
  const Var y = linear(x, scope.parameter(*weight_), bias);  // [.,O]
  return frame.keep(add(y, product_with(*weight_->adapter, x)));
}

}  // namespace dhyan
