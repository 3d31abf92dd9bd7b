#include "nn/convolution.h"

namespace dhyan {

namespace {

Index taps_of(const ConvolutionOptions& options) { return options.filter.window.kernel * options.filter.window.kernel; }

const Parameter* filters(ParameterSet& parameters, const std::string& name, const ConvolutionOptions& options) {
  const auto add = options.role == Role::kWeight ? add_weight : add_parameter;
  return add(parameters, name, {taps_of(options) * options.in, options.out}, options.weight, options.rng);
}

}  // namespace

Convolution::Convolution(ParameterSet& parameters, const std::string& name, const ConvolutionOptions& options)
    : weight_(filters(parameters, name + ".weight", options)),
      bias_(&parameters.add(name + ".bias", {options.out})),
      filter_(options.filter) {}

Var Convolution::operator()(const Var& x, GridShape grid) const {
  Scope& scope = x.scope();
  return conv2d(x, grid, scope.parameter(*weight_), scope.parameter(*bias_), filter_);  // [B*h'*w',out]
}

DepthwiseConvolution::DepthwiseConvolution(ParameterSet& parameters, const std::string& name,
                                           const ConvolutionOptions& options)
    : weight_(add_parameter(parameters, name + ".weight", {taps_of(options), options.in}, options.weight, options.rng)),
      bias_(&parameters.add(name + ".bias", {options.in})),
      filter_(options.filter) {}

Var DepthwiseConvolution::operator()(const Var& x, GridShape grid) const {
  Scope& scope = x.scope();
  return depthwise_conv2d(x, grid, scope.parameter(*weight_), scope.parameter(*bias_), filter_);  // [B*h'*w',in]
}

}  // namespace dhyan
