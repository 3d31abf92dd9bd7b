#include "nn/adapters.h"

#include <cmath>
#include <vector>

#include "core/error.h"
#include "kernels/gemm/gemm.h"
#include "nn/initializers.h"
#include "ops/arithmetic.h"
#include "ops/linear.h"

namespace dhyan {

namespace {

constexpr std::string_view kDown = ".adapter.down", kUp = ".adapter.up";

}  // namespace

void add_adapters(ParameterSet& parameters, const AdapterOptions& options, const Rng& rng) {
  if (options.rank == 0) return;
  const auto rank = static_cast<double>(options.rank);
  std::vector<Parameter*> weights;
  for (Parameter& parameter : parameters) {
    if (parameter.takes_adapter) weights.push_back(&parameter);
  }
  for (Parameter* weight : weights) {
    const Index I = weight->value.rows(), O = weight->value.cols();
    const Initializer narrow{.name = "uniform", .number = 1 / std::sqrt(static_cast<double>(I))};
    weight->adapter = {.down = add_weight(parameters, cat(weight->name, kDown), {I, options.rank}, narrow, rng),
                       .up = add_weight(parameters, cat(weight->name, kUp), {options.rank, O}, {.name = "zeros"}, rng),
                       .scale = static_cast<Real>(options.alpha == 0 ? 2 : options.alpha / rank)};
  }
}

bool is_adapter(std::string_view parameter) { return parameter.ends_with(kDown) || parameter.ends_with(kUp); }

Var product_with(const Adapter& adapter, const Var& x) {
  Frame frame(x.scope());
  const Var narrow = linear(x, x.scope().parameter(*adapter.down));                           // [.,R]
  return frame.keep(linear(scale(narrow, adapter.scale), x.scope().parameter(*adapter.up)));  // [.,O]
}

Tensor merged(const Parameter& weight) {
  const Adapter& adapter = *weight.adapter;
  const Tensor W = weight.value.clone();  // [I,O]
  kernels::gemm(adapter.down->value.matrix(), adapter.up->value.matrix(), W.matrix(),
                {.alpha = adapter.scale, .beta = 1});
  return W;
}

}  // namespace dhyan
