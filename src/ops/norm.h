#pragma once

#include "autograd/tape.h"

namespace dhyan {

// Every row shifted to mean 0 and scaled to variance 1, then given a learned gain and bias.
Var layer_norm(const Var& x, const Var& gain, const Var& bias, Real epsilon = Real(1e-5));  // [.,H] [H] [H] -> [.,H]

// s = x + y, and layer_norm(s), in one pass. Without a tape; UsageError if there is one.
struct SumAndNorm {
  Var sum;   // [.,H]
  Var norm;  // [.,H]
};
SumAndNorm add_layer_norm(const Var& x, const Var& y, const Var& gain, const Var& bias, Real epsilon = Real(1e-5));

// Every row scaled to mean square 1, then given a learned gain.
Var rms_norm(const Var& x, const Var& gain, Real epsilon = Real(1e-6));  // [.,H] [H] -> [.,H]

// Every row in N equal parts, each scaled to length 1 and then by a strength of its own. A part of length 0 stays 0.
Var unit_norm(const Var& x, const Var& strength, Real epsilon = Real(1e-6));  // [.,N*K] [N] -> [.,N*K]

}  // namespace dhyan
