#include "nn/feed_forward.h"

#include "core/table.h"
#include "ops/activations.h"
#include "ops/dropout.h"
#include "ops/linear.h"

namespace dhyan {

namespace {

template <Var (*f)(const Var&)>
Var after_linear(const Var& x, const Var& weight, const Var& bias) {
  return f(linear(x, weight, bias));  // [.,F]
}

constexpr Activation kActivations[] = {
    {"relu", "vaswani2017", linear_relu},
    {"gelu", "hendrycks2016", after_linear<gelu>},
    {"gelu-erf", "hendrycks2016", after_linear<gelu_erf>},
    {"swish", "ramachandran2017", after_linear<swish>},
    {"gelu-sigmoid", "hendrycks2016", after_linear<gelu_sigmoid>},
};

}  // namespace

std::span<const Activation> activations() { return kActivations; }

FeedForward::FeedForward(ParameterSet& parameters, const std::string& name, const FeedForwardOptions& options)
    : in_(parameters, name + ".in", options.width, options.hidden, {.rng = options.rng}),
      out_(parameters, name + ".out", options.hidden, options.width, {.rng = options.rng}),
      activation_(&entry_named("activation", activations(), options.activation)),
      dropout_(options.dropout) {}

Var FeedForward::operator()(const Var& x) const {
  Scope& scope = x.scope();
  Frame frame(scope);
  const Var hidden = activation_->of_linear(x, scope.parameter(in_.weight()), scope.parameter(*in_.bias()));  // [.,F]
  return frame.keep(out_(dropout(hidden, dropout_)));                                                         // [.,H]
}

}  // namespace dhyan
