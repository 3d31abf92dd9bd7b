#pragma once

#include <string>

#include "ops/norm.h"

namespace dhyan {

// The epsilon of norms of products inside recurrent layers; Marian's.
inline constexpr Real kInnerNormEpsilon = Real(1e-9);

// [ba2016]: every row to mean 0 and variance 1, then name.gain [H] and name.bias [H].
class LayerNorm {
 public:
  LayerNorm(ParameterSet& parameters, const std::string& name, Index H, Real epsilon = Real(1e-5));
  Var operator()(const Var& x) const;                   // [.,H] -> [.,H]
  SumAndNorm of_sum(const Var& x, const Var& y) const;  // x + y and its norm [.,H]; without a tape

 private:
  const Parameter* gain_;
  const Parameter* bias_;
  Real epsilon_;
};

// [zhang2019]: every row to mean square 1, then name.gain [H].
class RmsNorm {
 public:
  RmsNorm(ParameterSet& parameters, const std::string& name, Index H, Real epsilon = Real(1e-6));
  Var operator()(const Var& x) const;  // [.,H] -> [.,H]

 private:
  const Parameter* gain_;
  Real epsilon_;
};

}  // namespace dhyan
