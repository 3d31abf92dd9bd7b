#pragma once

#include "nn/layer_norm.h"
#include "nn/linear.h"

namespace dhyan {

// y = norm(x W): a layer norm instead of a bias ([ba2016] section 3.1). Parameters name.weight, name.norm.gain and
// name.norm.bias.
class NormedLinear {
 public:
  NormedLinear(ParameterSet& parameters, const std::string& name, Index in, Index out, const Rng& rng)
      : product_(parameters, name, in, out, {.bias = false, .rng = rng}),
        norm_(parameters, name + ".norm", out, kInnerNormEpsilon) {}

  Var operator()(const Var& x) const { return norm_(product_(x)); }  // [.,I] -> [.,O]

 private:
  Linear product_;
  LayerNorm norm_;
};

}  // namespace dhyan
