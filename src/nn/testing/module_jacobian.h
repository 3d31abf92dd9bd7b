#pragma once

#include "autograd/jacobian.h"

namespace dhyan {

// For tests: jacobian_mismatch by the weights of modules too. The checker numbers its inputs as a ParameterSet numbers
// its parameters, so with the weights as its first inputs, Scope::parameter() of a weight is that input.
inline std::string module_jacobian_mismatch(const ParameterSet& weights, std::vector<Tensor> inputs,
                                            const DifferentiableFunction& f, const JacobianOptions& options = {}) {
  std::vector<Tensor> all;
  for (const Parameter& weight : weights) all.push_back(weight.value);
  all.insert(all.end(), inputs.begin(), inputs.end());
  const auto count = static_cast<std::ptrdiff_t>(weights.count());
  return jacobian_mismatch(
      [&](Scope& scope, const std::vector<Var>& in) {
        return f(scope, std::vector<Var>(in.begin() + count, in.end()));
      },
      all, options);
}

// Weights that leave no bias or gain at a special value.
inline void randomise(ParameterSet& weights, std::uint64_t seed, double range = 0.8) {
  Rng rng(seed);
  for (Parameter& weight : weights) {
    for (Real& x : weight.value.span()) x = static_cast<Real>(rng.uniform(-range, range));
  }
}

}  // namespace dhyan
