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
    {"relu", "vaswani2017", linear_relu, relu},
    {"gelu", "hendrycks2016", after_linear<gelu>, gelu},
    {"gelu-erf", "hendrycks2016", after_linear<gelu_erf>, gelu_erf},
    {"swish", "ramachandran2017", after_linear<swish>, swish},
    {"gelu-sigmoid", "hendrycks2016", after_linear<gelu_sigmoid>, gelu_sigmoid},
};

}  // namespace

std::span<const Activation> activations() { return kActivations; }

FeedForward::FeedForward(ParameterSet& parameters, const std::string& name, const FeedForwardOptions& options)
    : in_(parameters, name + ".in", options.width, options.hidden, {.rng = options.rng}),
      out_(parameters, name + ".out", options.hidden, options.width, {.rng = options.rng}),
      activation_(&entry_named("activation", activations(), options.activation)),
      dropout_(options.dropout) {}

Var FeedForward::operator()(const Var& x) const {
  Frame frame(x.scope());
  return frame.keep(out_(dropout(hidden(x), dropout_)));  // [.,H]
}

Var FeedForward::hidden(const Var& x) const {
  if (in_.weight().adapter) return activation_->alone(in_(x));  // [.,F]
  Scope& scope = x.scope();
  return activation_->of_linear(x, scope.parameter(in_.weight()), scope.parameter(*in_.bias()));  // [.,F]
}

}  // namespace dhyan
