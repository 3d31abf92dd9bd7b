#pragma once

#include <optional>

#include "nn/convolution.h"

namespace dhyan {

struct InvertedResidualOptions {
  Index in = 0, out = 0;  // channels
  Index expansion = 6;    // of the channels between; 1: no expanding convolution
  Index kernel = 3, stride = 1;
  Rng rng = Rng(0);
};

// [sandler2018] section 3.3: a 1x1 convolution expands the channels, a depthwise convolution filters them, a 1x1
// convolution projects them. relu6 follows the first two. If input and output have the same shape, the input is added.
// Parameters name.expand, name.depthwise and name.project, with .weight and .bias each.
class InvertedResidual {
 public:
  InvertedResidual(ParameterSet& parameters, const std::string& name, const InvertedResidualOptions& options);

  Var operator()(const Var& x, GridShape grid) const;  // [B*h*w,in] -> [B*h'*w',out]
  GridShape grid_of(GridShape in) const { return depthwise_.grid_of(in); }
  const InvertedResidualOptions& options() const { return options_; }

 private:
  InvertedResidualOptions options_;
  std::optional<Convolution> expand_;
  DepthwiseConvolution depthwise_;
  Convolution project_;
};

}  // namespace dhyan
