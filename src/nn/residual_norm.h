#pragma once

#include <optional>

#include "nn/layer_norm.h"

namespace dhyan {

struct ResidualNormOptions {
  bool layer_norm = false;
  bool residual = false;
};

// The end of a layer h = f(x) of a recurrent stack: y = norm(h) + x, each part if it is enabled, and x only where it is
// as wide as h. The norm is before the sum, so that the residual path through the stack is never rescaled, and outside
// the cell, whose state stays that of the papers. Parameters name.norm.gain and name.norm.bias.
class ResidualNorm {
 public:
  ResidualNorm(ParameterSet& parameters, const std::string& name, Index H, const ResidualNormOptions& options);

  Var operator()(const Var& x, const Var& h) const;  // [.,E] [.,H] -> [.,H]; x may be none

 private:
  std::optional<LayerNorm> norm_;
  bool residual_;
};

}  // namespace dhyan
