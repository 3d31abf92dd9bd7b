#pragma once

#include <string_view>

#include "autograd/tape.h"
#include "core/rng.h"

namespace dhyan {

// [hu2022] section 4.1: fine-tuning adds a product of two narrow matrices to each weight and trains these alone.
struct AdapterOptions {
  Index rank = 0;    // R; 0: no adapters
  double alpha = 0;  // the product is scaled by alpha / R; 0: alpha is 2 R
};

// Gives every weight of a Linear layer an adapter: parameters name.adapter.down [I,R], drawn at random, and
// name.adapter.up [R,O], which begins at 0, so that the model computes what it did.
void add_adapters(ParameterSet& parameters, const AdapterOptions& options, const Rng& rng);

bool is_adapter(std::string_view parameter);  // the name of one of these two

Var product_with(const Adapter& adapter, const Var& x);  // [.,I] -> [.,O]  scale · x down up

// W + scale · down up, the weight without its adapter.
Tensor merged(const Parameter& weight);  // [I,O]

}  // namespace dhyan
