#include "backbones/inverted_residual.h"

#include "ops/arithmetic.h"

namespace dhyan {

namespace {

using kernels::Rectifier;

std::optional<Convolution> expanding(ParameterSet& parameters, const std::string& name,
                                     const InvertedResidualOptions& options) {
  if (options.expansion == 1) return std::nullopt;
  return Convolution(parameters, name,
                     {.in = options.in,
                      .out = options.in * options.expansion,
                      .filter = {{.kernel = 1}, Rectifier::kRelu6},
                      .rng = options.rng});
}

}  // namespace

InvertedResidual::InvertedResidual(ParameterSet& parameters, const std::string& name,
                                   const InvertedResidualOptions& options)
    : options_(options),
      expand_(expanding(parameters, name + ".expand", options)),
      depthwise_(parameters, name + ".depthwise",
                 {.in = options.in * options.expansion,
                  .filter = {{.kernel = options.kernel, .stride = options.stride}, Rectifier::kRelu6},
                  .rng = options.rng}),
      project_(
          parameters, name + ".project",
          {.in = options.in * options.expansion, .out = options.out, .filter = {{.kernel = 1}}, .rng = options.rng}) {}

Var InvertedResidual::operator()(const Var& x, GridShape grid) const {
  Frame frame(x.scope());
  const Var expanded = expand_ ? (*expand_)(x, grid) : x;  // [B*h*w,expansion*in]
  const Var filtered = depthwise_(expanded, grid);         // [B*h'*w',expansion*in]
  release(expanded);
  const Var projected = project_(filtered, grid_of(grid));  // [B*h'*w',out]
  const bool same_shape = options_.stride == 1 && options_.in == options_.out;
  return frame.keep(same_shape ? add(projected, x) : projected);  // [B*h'*w',out]
}

}  // namespace dhyan
