#pragma once

#include <functional>
#include <string>
#include <vector>

#include "autograd/tape.h"

namespace dhyan {

// Compares the gradients of an op with finite differences.
struct JacobianOptions {
  double step = sizeof(Real) == 8 ? 1e-3 : 3e-2;       // of a fourth-order central difference
  double tolerance = sizeof(Real) == 8 ? 1e-7 : 2e-2;  // relative
  double floor = sizeof(Real) == 8 ? 1e-2 : 1;         // derivatives below this count as this large
  std::uint64_t noise_seed = 1;                        // for dropout: the same mask at every evaluation
};

using DifferentiableFunction = std::function<Var(Scope& scope, const std::vector<Var>& inputs)>;

// Compares every d(output element)/d(input element) by backward with finite differences. Empty if they agree; else a
// description of the worst disagreement. Inputs enter as parameters, so that persistent, sparse and gathered gradients
// are checked too. Inputs must be further than two steps from any kink of f.
std::string jacobian_mismatch(const DifferentiableFunction& f, const std::vector<Tensor>& inputs,
                              const JacobianOptions& options = {});

// Uniform random values for tests of ops; owned.
Tensor random_tensor(Rng& rng, const Shape& shape, double low = -1, double high = 1);

}  // namespace dhyan
