#pragma once

#include <optional>

#include "nn/layer_norm.h"

namespace dhyan {

struct ResidualNormOptions {
  bool layer_norm = false;
  bool residual = false;
};

// How a layer h = f(x) of a stack ends: y = norm(h) + x, each part if it is wanted, and x only where it is as wide as
// h. The norm stands before the sum, so that there is a way through the stack on which nothing is rescaled, and outside
// the cell, whose state stays what the papers say it is. Parameters name.norm.gain and name.norm.bias.
class ResidualNorm {
 public:
  ResidualNorm(ParameterSet& parameters, const std::string& name, Index H, const ResidualNormOptions& options);

  Var operator()(const Var& x, const Var& h) const;  // [.,E] [.,H] -> [.,H]; x may be none

 private:
  std::optional<LayerNorm> norm_;
  bool residual_;
};

}  // namespace dhyan
