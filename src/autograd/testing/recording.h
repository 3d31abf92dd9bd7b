#pragma once

#include "autograd/tape.h"

namespace dhyan {

// For tests: a scope that records, with its arena and tape.
struct Recording {
  explicit Recording(const ParameterSet& parameters = {})
      : gradients(parameters), tape(parameters), scope(arena, tape) {
    tape.start(gradients, Rng(1));
  }

  GradientSet gradients;
  Tape tape;
  Arena arena;
  Scope scope;
};

}  // namespace dhyan
