#include "nn/layer_end.h"

#include "ops/arithmetic.h"

namespace dhyan {

LayerEnd::LayerEnd(ParameterSet& parameters, const std::string& name, Index H, const LayerEndOptions& options)
    : residual_(options.residual) {
  if (options.layer_norm) norm_.emplace(parameters, name + ".norm", H);
}

Var LayerEnd::operator()(const Var& x, const Var& h) const {
  const Var y = norm_ ? (*norm_)(h) : h;                          // [.,H]
  return residual_ && x && x.cols() == h.cols() ? add(y, x) : y;  // [.,H]
}

}  // namespace dhyan
