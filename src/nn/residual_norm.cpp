#include "nn/residual_norm.h"

#include "ops/arithmetic.h"

namespace dhyan {

ResidualNorm::ResidualNorm(ParameterSet& parameters, const std::string& name, Index H,
                           const ResidualNormOptions& options)
    : residual_(options.residual) {
  if (options.layer_norm) norm_.emplace(parameters, name + ".norm", H);
}

Var ResidualNorm::operator()(const Var& x, const Var& h) const {
  const Var y = norm_ ? (*norm_)(h) : h;                          // [.,H]
  return residual_ && x && x.cols() == h.cols() ? add(y, x) : y;  // [.,H]
}

}  // namespace dhyan
