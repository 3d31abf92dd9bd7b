#pragma once

#include <span>
#include <string_view>

#include "nn/dropout.h"
#include "nn/linear.h"

namespace dhyan {

// The table of activations a layer can be built with. A new one is a line in feed_forward.cpp.
struct Activation {
  std::string_view name;
  std::string_view reference;                                          // a key of docs/refs.bib
  Var (*of_linear)(const Var& x, const Var& weight, const Var& bias);  // f(x W + b)
  Var (*alone)(const Var& x);                                          // f(x)
};
std::span<const Activation> activations();

struct FeedForwardOptions {
  Index width = 0;                  // H
  Index hidden = 0;                 // F
  std::string activation = "relu";  // in the table
  double dropout = 0;               // of the hidden layer
  Rng rng = Rng(0);
};

// [vaswani2017] eq. 2: y = f(x W_1 + b_1) W_2 + b_2, with parameters name.in and name.out. ConfigError for an
// unknown activation.
class FeedForward {
 public:
  FeedForward(ParameterSet& parameters, const std::string& name, const FeedForwardOptions& options);

  Var operator()(const Var& x) const;  // [.,H] -> [.,H]

 private:
  Var hidden(const Var& x) const;  // [.,H] -> [.,F]

  Linear in_, out_;
  const Activation* activation_;
  double dropout_;
};

}  // namespace dhyan
