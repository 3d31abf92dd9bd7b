#pragma once

#include "nn/initializers.h"
#include "ops/convolution.h"

namespace dhyan {

struct ConvolutionOptions {
  Index in = 0, out = 0;  // channels
  ConvOptions filter = {};
  Initializer weight = {};    // the bias begins at 0
  Role role = Role::kWeight;  // kOther: `dhyan quantize` leaves the weight as it is
  Rng rng = Rng(0);
};

// Convolution with parameters name.weight [kernel*kernel*in,out] and name.bias [out].
class Convolution {
 public:
  Convolution(ParameterSet& parameters, const std::string& name, const ConvolutionOptions& options);

  Var operator()(const Var& x, GridShape grid) const;                                // [B*h*w,in] -> [B*h'*w',out]
  GridShape grid_of(GridShape in) const { return window_grid(in, filter_.window); }  // h' x w'

  const Parameter& weight() const { return *weight_; }
  const Parameter& bias() const { return *bias_; }

 private:
  const Parameter* weight_;
  const Parameter* bias_;
  ConvOptions filter_;
};

// Depthwise convolution with parameters name.weight [kernel*kernel,in] and name.bias [in]; `out` is not used.
class DepthwiseConvolution {
 public:
  DepthwiseConvolution(ParameterSet& parameters, const std::string& name, const ConvolutionOptions& options);

  Var operator()(const Var& x, GridShape grid) const;  // [B*h*w,in] -> [B*h'*w',in]
  GridShape grid_of(GridShape in) const { return window_grid(in, filter_.window); }

 private:
  const Parameter* weight_;
  const Parameter* bias_;
  ConvOptions filter_;
};

}  // namespace dhyan
