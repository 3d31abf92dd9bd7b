#pragma once

#include "autograd/tape.h"

namespace dhyan {

// Shifts every row to mean 0, scales it to variance 1 and applies a learned gain and bias.
Var layer_norm(const Var& x, const Var& gain, const Var& bias, Real epsilon = Real(1e-5));  // [.,H] [H] [H] -> [.,H]

// s = x + y, and layer_norm(s), in one pass. UsageError if there is a tape.
struct SumAndNorm {
  Var sum;   // [.,H]
  Var norm;  // [.,H]
};
SumAndNorm add_layer_norm(const Var& x, const Var& y, const Var& gain, const Var& bias, Real epsilon = Real(1e-5));

// Scales every row to mean square 1 and applies a learned gain.
Var rms_norm(const Var& x, const Var& gain, Real epsilon = Real(1e-6));  // [.,H] [H] -> [.,H]

// [wu2018]: every picture of `cells` rows is split into `groups` groups of neighbouring channels; all values of a group
// are shifted to mean 0 and scaled to variance 1. Then a learned gain and bias for each channel.
struct GroupNormOptions {
  Index cells = 1, groups = 1;
  Real epsilon = Real(1e-5);
};
Var group_norm(const Var& x, const Var& gain, const Var& bias, const GroupNormOptions& options);  // [B*cells,C] [C] [C]

// Splits every row into N equal parts and scales each to length 1 and then by its strength. A part of length 0 stays 0.
Var unit_norm(const Var& x, const Var& strength, Real epsilon = Real(1e-6));  // [.,N*K] [N] -> [.,N*K]

}  // namespace dhyan
