#include "nn/feed_forward.h"

#include "core/table.h"
#include "ops/activations.h"
#include "ops/dropout.h"

namespace dhyan {

namespace {

constexpr Activation kActivations[] = {
    {"relu", "vaswani2017", relu},
    {"gelu", "hendrycks2016", gelu},
    {"swish", "ramachandran2017", swish},
};

}  // namespace

std::span<const Activation> activations() { return kActivations; }

FeedForward::FeedForward(ParameterSet& parameters, const std::string& name, const FeedForwardOptions& options)
    : in_(parameters, name + ".in", options.width, options.hidden, {.rng = options.rng}),
      out_(parameters, name + ".out", options.hidden, options.width, {.rng = options.rng}),
      activation_(&entry_named("activation", activations(), options.activation)),
      dropout_(options.dropout) {}

Var FeedForward::operator()(const Var& x) const {
  const Var hidden = activation_->apply(in_(x));  // [.,F]
  return out_(dropout(hidden, dropout_));         // [.,H]
}

}  // namespace dhyan
