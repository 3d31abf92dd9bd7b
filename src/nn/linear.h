#pragma once

#include "autograd/tape.h"
#include "nn/initializers.h"

namespace dhyan {

struct LinearOptions {
  bool bias = true;
  Initializer weight = {};  // the bias begins at 0
  Rng rng = Rng(0);
};

// y = x W + b, with parameters name.weight [I,O] and name.bias [O]. With an adapter (nn/adapters.h), W is W + s A B.
class Linear {
 public:
  Linear(ParameterSet& parameters, const std::string& name, Index in, Index out, const LinearOptions& options = {});

  Var operator()(const Var& x) const;  // [.,I] -> [.,O]

  const Parameter& weight() const { return *weight_; }
  const Parameter* bias() const { return bias_; }  // null without

 private:
  const Parameter* weight_;
  const Parameter* bias_ = nullptr;
};

}  // namespace dhyan
